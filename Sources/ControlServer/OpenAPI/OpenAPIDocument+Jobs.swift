import ControlAPI

extension OpenAPIDocument {
    /// A count for each state.
    static var states: String {
        let names = JobJSON.State.allCases.map(\.rawValue)
        let properties = names.map { "\(quoted($0)):{\"type\":\"integer\",\"minimum\":0}" }.joined(
            separator: ","
        )
        return """
            {"type":"object","required":\(list(names)),"additionalProperties":false,"properties":{\(properties)}}
            """
    }

    private static func page(of item: String) -> String {
        """
        {"type":"object","required":["items","total","has_more","next"],"additionalProperties":false,"properties":{
        "items":{"type":"array","items":\(schema(item))},"total":{"type":"integer","minimum":0},
        "has_more":{"type":"boolean"},"next":{"type":["string","null"]}}}
        """
    }

    /// Batches and jobs.
    static var jobSchemas: String {
        """
        "Batch":{"type":"object","required":["id","created_at","elapsed","submitted_by","job_count","states"],"additionalProperties":false,"properties":{
        "id":{"type":"integer","minimum":1},"created_at":{"type":"string","format":"date-time"},
        "elapsed":{"type":"number","minimum":0,"description":"Seconds on the batch's clock."},
        "submitted_by":{"type":["integer","null"],"description":"The user id of who asked."},
        "job_count":{"type":"integer","minimum":0},"states":\(states),
        "jobs":{"type":"array","items":{"type":"integer","minimum":1},"description":"Ids, in the order of the items."}}},
        "BatchPage":\(page(of: "Batch")),
        "JobPage":\(page(of: "Job")),
        "Job":{"type":"object","additionalProperties":false,
        "required":["id","batch","url","state","name","path","bytes","total_bytes","percent","bytes_per_second","attempts","sha256","waiting","error","detection","priority","rate_limit","expected_sha256","created_at","finished_at","elapsed"],
        "properties":{
        "id":{"type":"integer","minimum":1},"batch":{"type":"integer","minimum":1},
        "url":{"type":"string","description":"Any password masked, and a user without one; unreadable:url where what the store has of it makes no sense any more."},
        "state":{"enum":\(list(JobJSON.State.allCases.map(\.rawValue)))},
        "name":{"type":"string"},"path":{"type":["string","null"],"description":"Absolute; null until stored."},
        "bytes":{"type":"integer","minimum":0},"total_bytes":{"type":["integer","null"],"minimum":0},
        "percent":{"type":["integer","null"],"minimum":0,"maximum":100},
        "bytes_per_second":{"type":["number","null"],"minimum":0},
        "attempts":{"type":"integer","minimum":0},
        "sha256":{"type":["string","null"],"pattern":"^[0-9a-f]{64}$","description":"Of the document; null until stored, of a large one until it is hashed, and of one that could not be read until detection is asked for again."},
        "waiting":{"anyOf":[{"type":"null"},{"type":"object","required":["code","reason","until"],"additionalProperties":false,"properties":{
        "code":{"type":"string","description":"As in an error."},"reason":{"type":"string"},"until":{"type":"string","format":"date-time"}}}]},
        "error":{"anyOf":[{"type":"null"},{"type":"object","required":["code","message"],"additionalProperties":false,"properties":{
        "code":{"type":"string"},"message":{"type":"string"}}}]},
        "detection":{"anyOf":[{"type":"null"},\(schema("Detection"))]},
        "priority":{"type":"integer","minimum":-100,"maximum":100},
        "rate_limit":{"type":["integer","null"],"minimum":1,"description":"The most bytes a second, where one was given."},
        "expected_sha256":{"type":["string","null"],"pattern":"^[0-9a-f]{64}$"},
        "created_at":{"type":"string","format":"date-time"},"finished_at":{"type":["string","null"],"format":"date-time"},
        "elapsed":{"type":"number","minimum":0}}},
        "Detection":{"type":"object","additionalProperties":false,
        "required":["outcome","face_count","faces","engine","parameters","shared_from","seconds"],"properties":{
        "outcome":{"enum":\(list(DetectionJSON.Outcome.allCases.map(\.rawValue))),"description":"crashed: the detector, twice, ended without an answer or gave one that can't be."},
        "face_count":{"type":["integer","null"],"minimum":0},"faces":{"type":"array","items":\(schema("Face"))},
        "engine":{"type":"string"},"parameters":{"type":"string"},
        "shared_from":{"type":["integer","null"],"minimum":1},"seconds":{"type":"number","minimum":0,"description":"By the daemon's clock."}}},
        "Face":{"type":"object","description":"A box in pixels of the upright picture at full resolution.","additionalProperties":false,
        "required":["x","y","width","height","confidence"],"properties":{
        "x":{"type":"integer"},"y":{"type":"integer"},"width":{"type":"integer"},"height":{"type":"integer"},"confidence":{"type":"number"}}}
        """
    }
}
