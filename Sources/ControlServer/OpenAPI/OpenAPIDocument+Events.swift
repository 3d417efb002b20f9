import ControlAPI

extension OpenAPIDocument {
    /// The data of server-sent events.
    static var eventSchemas: String {
        """
        "Event":{"type":"object","required":["id","time","elapsed","batch","job","kind","message"],"additionalProperties":false,"properties":{
        "id":{"type":"integer","minimum":1},"time":{"type":"string","format":"date-time"},"elapsed":{"type":"number","minimum":0},
        "batch":{"type":"integer","minimum":1},"job":{"type":"integer","minimum":1},
        "kind":{"enum":\(list(EventJSON.Kind.allCases.map(\.rawValue)))},
        "message":{"type":"string","description":"As the event log says it."},
        "name":{"type":"string"},"url":{"type":"string"},"path":{"type":"string"},
        "percent":{"type":"integer","minimum":10,"maximum":100},"bytes":{"type":"integer","minimum":0},
        "total_bytes":{"type":"integer","minimum":0},"reason":{"type":"string"},"code":{"type":"string"},
        "until":{"type":"string","format":"date-time"},"face_count":{"type":"integer","minimum":0},"outcome":{"type":"string"},
        "shared_from":{"type":"integer","minimum":1,"description":"The job whose document had the same bytes, and whose result this is."}}},
        "Progress":{"type":"object","required":["job","batch","bytes","bytes_per_second"],"additionalProperties":false,"properties":{
        "job":{"type":"integer","minimum":1},"batch":{"type":"integer","minimum":1},"bytes":{"type":"integer","minimum":0},
        "total_bytes":{"type":"integer","minimum":0},"bytes_per_second":{"type":"number","minimum":0}}},
        "Notice":{"type":"object","required":["after","detail"],"additionalProperties":false,"properties":{
        "after":{"type":"integer","minimum":0},"oldest":{"type":"integer","minimum":1},"detail":{"type":"string"}}}
        """
    }

    /// How the daemon is.
    static var statusSchemas: String {
        """
        "Status":{"type":"object","required":["version","state","uptime","jobs","transfers","detection","disk","holds"],"additionalProperties":false,"properties":{
        "version":{"type":"string"},"state":{"enum":\(list(StatusJSON.State.allCases.map(\.rawValue)))},"uptime":{"type":"number","minimum":0},
        "jobs":\(states),
        "transfers":{"type":"object","required":["active","bytes_per_second"],"additionalProperties":false,"properties":{
        "active":{"type":"integer","minimum":0},"bytes_per_second":{"type":"number","minimum":0}}},
        "detection":{"type":"object","required":["gate","active","waiting"],"additionalProperties":false,"properties":{
        "gate":{"enum":\(list(GateJSON.State.allCases.map(\.rawValue)))},"active":{"type":"integer","minimum":0},"waiting":{"type":"integer","minimum":0}}},
        "disk":{"type":"object","required":["free_bytes"],"additionalProperties":false,"properties":{
        "free_bytes":{"type":["integer","null"],"minimum":0}}},
        "holds":{"type":"array","items":{"type":"object","required":["kind","reason"],"additionalProperties":false,"properties":{
        "kind":{"enum":\(list(StatusJSON.Hold.Kind.allCases.map(\.rawValue)))},"reason":{"type":"string"}}}}}}
        """
    }
}
