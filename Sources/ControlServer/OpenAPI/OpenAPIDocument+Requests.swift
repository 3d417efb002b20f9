import ControlAPI
import JobCore

extension OpenAPIDocument {
    /// What requests say, and how refusals look.
    static var requestSchemas: String {
        """
        "BatchRequest":{"type":"object","required":["items"],"additionalProperties":false,"properties":{
        "items":{"type":"array","minItems":\(BatchReader.itemCount.lowerBound),"maxItems":\(BatchReader.itemCount.upperBound),"items":\(schema("BatchItem"))}}},
        "BatchItem":{"type":"object","required":["url"],"additionalProperties":false,"properties":{
        "url":{"type":"string","maxLength":8192,"pattern":"^[Hh][Tt][Tt][Pp][Ss]?://[A-Za-z0-9][A-Za-z0-9.-]{0,252}(:[1-9][0-9]{0,3})?(/[!-~]*)?$","description":"http or https."},
        "name":{"type":["string","null"],"minLength":1,"maxLength":255,"pattern":"^[^./\\\\s\\\\x00-\\\\x1f\\\\x7f]([^/\\\\x00-\\\\x1f\\\\x7f]*[^/\\\\s\\\\x00-\\\\x1f\\\\x7f])?$","description":"The document's name: one path component, at most 255 bytes of UTF-8, without marks that turn the direction of text."},
        "sha256":{"type":["string","null"],"pattern":"^[0-9A-Fa-f]{64}$"},
        "priority":{"type":["integer","null"],"minimum":\(ItemReader.priorities.lowerBound),"maximum":\(ItemReader.priorities.upperBound),"description":"Higher goes first."},
        "headers":{"type":["object","null"],"maxProperties":\(RequestHeader.maximumCount),"propertyNames":{"pattern":"^[Xx]-[A-Za-z0-9-]{1,64}$|^(Authorization|Cookie|Referer|Accept|User-Agent)$"},"additionalProperties":{"type":"string","maxLength":4000,"pattern":"^[ -~]*$"},"description":"Header fields sent with the request, to the URL's own scheme, host and port only. Any name is taken but those that facefetch sets itself (Host, Range, If-Range and the like) and those of the connection. They are stored until the document is, and never shown."},
        "rate_limit":{"type":["integer","null"],"minimum":\(ItemReader.rates.lowerBound),"maximum":\(ItemReader.rates.upperBound),"description":"The most bytes a second for this file."}}},
        "JobChange":{"type":"object","required":["priority"],"additionalProperties":false,"properties":{
        "priority":{"type":"integer","minimum":\(ItemReader.priorities.lowerBound),"maximum":\(ItemReader.priorities.upperBound)}}},
        "RetryRequest":{"type":"object","additionalProperties":false,"properties":{
        "url":{"type":["string","null"],"maxLength":8192,"pattern":"^[Hh][Tt][Tt][Pp][Ss]?://[A-Za-z0-9][A-Za-z0-9.-]{0,252}(:[1-9][0-9]{0,3})?(/[!-~]*)?$"}}},
        "DetectRequest":{"type":"object","additionalProperties":false,"properties":{
        "engine":{"enum":[\(DetectionJSON.Engine.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",")),null],"description":"Who is to look; without it, the engine of the settings."}}},
        "Problem":{"type":"object","description":"RFC 9457.","required":["type","title","status","code","detail"],"additionalProperties":false,"properties":{
        "type":{"const":"about:blank"},"title":{"type":"string"},"status":{"type":"integer"},
        "code":{"enum":\(list(ProblemCode.allCases.map(\.rawValue)))},
        "detail":{"type":"string"},
        "errors":{"type":"array","items":{"type":"object","required":["index","field","reason"],"additionalProperties":false,"properties":{
        "index":{"type":"integer","minimum":0},"field":{"type":"string"},"reason":{"type":"string"}}}}}},
        "Steered":{"type":"object","required":["changed"],"additionalProperties":false,"properties":{"changed":{"type":"integer","minimum":0}}},
        "Gate":{"type":"object","required":["gate"],"additionalProperties":false,"properties":{"gate":{"enum":["open","held"]}}}
        """
    }
}
