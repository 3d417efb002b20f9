import ControlAPI

extension OpenAPIDocument {
    /// The paths with their operations.
    static var paths: String {
        [batchPaths, jobPaths, detectionPaths, aboutPaths].joined(separator: ",\n")
    }

    /// One operation; every one may be refused for its parameters, its origin or its size.
    private static func operation(
        _ id: String,
        _ summary: String,
        parameters: [String] = [],
        body: String? = nil,
        bodyRequired: Bool = true,
        status: Int = 200,
        type: String = "application/json",
        answer: String,
        problems: [Int] = []
    ) -> String {
        var parts = ["\"operationId\":\(quoted(id))", "\"summary\":\(quoted(summary))"]
        if !parameters.isEmpty { parts.append("\"parameters\":[\(parameters.joined(separator: ","))]") }
        if let body {
            parts.append(
                "\"requestBody\":{\"required\":\(bodyRequired),\"content\":{\"application/json\":{\"schema\":\(body)}}}"
            )
        }
        let answers =
            [
                "\"\(status)\":{\"description\":\"As asked.\",\"content\":{\(quoted(type)):{\"schema\":\(answer)}}}"
            ]
            + Set(problems + [400, 403, 413, 431, 500]).sorted().map {
                "\"\($0)\":{\"$ref\":\"#/components/responses/\($0)\"}"
            }
        parts.append("\"responses\":{\(answers.joined(separator: ","))}")
        return "{\(parts.joined(separator: ","))}"
    }

    private static func query(_ name: String, _ schema: String, _ meaning: String) -> String {
        "{\"name\":\(quoted(name)),\"in\":\"query\",\"schema\":\(schema),\"description\":\(quoted(meaning))}"
    }

    private static let id =
        #"{"name":"id","in":"path","required":true,"schema":{"type":"integer","format":"int64","minimum":1}}"#
    private static let limit = query(
        "limit",
        #"{"type":"integer","minimum":1,"maximum":1000,"default":100}"#,
        "Items on a page."
    )
    private static let after = query(
        "after",
        #"{"type":"integer","format":"int64","minimum":0}"#,
        "What next said on the page before."
    )
    private static let batch = query(
        "batch",
        #"{"type":"integer","format":"int64","minimum":1}"#,
        "Only of this batch."
    )
    private static let changes = [503, 507]

    private static var batchPaths: String {
        let key =
            #"{"name":"Idempotency-Key","in":"header","schema":{"type":"string","pattern":"^[!-~]{1,255}$"},"description":"Makes a repeated post answer as the first did."}"#
        return """
            "/v1/batches":{
            "get":\(operation("listBatches", "Batches by ascending id.", parameters: [limit, after], answer: schema("BatchPage"))),
            "post":\(operation("createBatch", "Accepts a batch, all of it or nothing. It is durable when this answers.", parameters: [key], body: schema("BatchRequest"), status: 201, answer: schema("Batch"), problems: [415, 422] + changes))},
            "/v1/batches/{id}":{
            "get":\(operation("showBatch", "One batch with its jobs.", parameters: [id], answer: schema("Batch"), problems: [404]))}
            """
    }

    private static var jobPaths: String {
        let state = query(
            "state",
            "{\"enum\":\(list(JobJSON.State.allCases.map(\.rawValue)))}",
            "Only in this state."
        )
        let text = query(
            "q",
            #"{"type":"string","minLength":1,"maxLength":256}"#,
            "Only with this text in the name, or in the URL as it is shown; the case of ASCII letters makes no difference."
        )
        var paths = [
            """
            "/v1/jobs":{
            "get":\(operation("listJobs", "Jobs by ascending id.", parameters: [state, batch, text, limit, after], answer: schema("JobPage")))}
            """,
            """
            "/v1/jobs/{id}":{
            "get":\(operation("showJob", "One job.", parameters: [id], answer: schema("Job"), problems: [404])),
            "patch":\(operation("changeJob", "Moves a job in the queue.", parameters: [id], body: schema("JobChange"), answer: schema("Job"), problems: [404, 409, 415, 422] + changes))}
            """,
        ]
        for steering in JobJSON.Steering.allCases {
            let bodyProblems = [415, 422]
            let one = operation(
                "\(steering.rawValue)Job",
                steering.summary,
                parameters: [id],
                body: steering.bodyOfOne.map(schema),
                bodyRequired: false,
                answer: schema("Job"),
                problems: [404, 409] + (steering.bodyOfOne == nil ? [] : bodyProblems) + changes
            )
            let all = operation(
                "\(steering.rawValue)Jobs",
                steering.summary + " Every job that it makes sense for.",
                body: steering.bodyOfAll.map(schema),
                bodyRequired: false,
                answer: schema("Steered"),
                problems: [409] + (steering.bodyOfAll == nil ? [] : bodyProblems) + changes
            )
            paths.append("\"/v1/jobs/{id}/\(steering.rawValue)\":{\"post\":\(one)}")
            paths.append("\"/v1/jobs/\(steering.rawValue)\":{\"post\":\(all)}")
        }
        return paths.joined(separator: ",\n")
    }

    private static var detectionPaths: String {
        """
        "/v1/detection/hold":{
        "post":\(operation("holdDetection", "Documents wait to be looked at, until release.", answer: schema("Gate"), problems: changes))},
        "/v1/detection/release":{
        "post":\(operation("releaseDetection", "Documents are looked at, those that waited in order.", answer: schema("Gate"), problems: changes))}
        """
    }

    private static var aboutPaths: String {
        let from = query(
            "after",
            #"{"type":"integer","format":"int64","minimum":0}"#,
            "Replays what came after this event first; 0 for the oldest kept. Last-Event-ID goes before it."
        )
        let since = query(
            "since",
            #"{"type":"string","format":"date-time"}"#,
            "Replays what happened from then on first, and maybe some of what came just before; nothing that after leaves out."
        )
        let follow = query(
            "follow",
            #"{"type":"boolean","default":true}"#,
            "False ends the answer after what is kept."
        )
        let lastEventID =
            #"{"name":"Last-Event-ID","in":"header","schema":{"type":"string","pattern":"^(0|[1-9][0-9]{0,17})?$"},"description":"The last event that the client has."}"#
        let stream = """
            {"type":"object","description":"One server-sent event; what its data says goes by its name.","required":["event","data"],
            "properties":{"id":{"type":"string","pattern":"^[1-9][0-9]*$","description":"Of job only; it goes into Last-Event-ID."},
            "event":{"enum":\(list(EventJSON.StreamName.allCases.map(\.rawValue)))},
            "data":{"type":"string","contentMediaType":"application/json",
            "contentSchema":{"anyOf":[\(schema("Event")),\(schema("Progress")),\(schema("Notice"))]}}}}
            """
        return """
            "/v1/status":{"get":\(operation("showStatus", "How the daemon is.", answer: schema("Status")))},
            "/v1/metrics":{"get":\(operation("showMetrics", "Counts and gauges.", type: ServerMetrics.contentType, answer: #"{"type":"string"}"#))},
            "/v1/openapi.json":{"get":\(operation("showDescription", "This document.", answer: #"{"type":"object"}"#))},
            "/v1/events":{"get":\(operation("followEvents", "Events as they happen. The answer does not end by itself, unless it is asked to.", parameters: [batch, from, since, follow, lastEventID], type: "text/event-stream", answer: stream, problems: [404]))}
            """
    }
}

extension JobJSON.Steering {
    /// What it does, for the document.
    fileprivate var summary: String {
        switch self {
        case .pause: "Holds a job, keeping what is there of its file."
        case .resume: "Lets a held job go on."
        case .cancel: "Ends a job; a finished document stays."
        case .retry: "Tries again now; for one job, a new URL replaces an expired one."
        case .detect: "Looks for faces again, with another engine if one is named."
        }
    }

    /// The schema of what may be said to one job.
    fileprivate var bodyOfOne: String? {
        switch self {
        case .retry: "RetryRequest"
        case .detect: "DetectRequest"
        case .pause, .resume, .cancel: nil
        }
    }

    /// The schema of what may be said to all jobs.
    fileprivate var bodyOfAll: String? { self == .detect ? bodyOfOne : nil }
}
