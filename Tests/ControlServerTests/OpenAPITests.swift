import ControlAPI
import FoundationEssentials
import HTTPTypes
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import ControlServer

@Suite("The description of the API")
struct OpenAPITests {
    /// As much of a document as the tests look at.
    struct Document: Decodable {
        struct Operation: Decodable {
            struct Parameter: Decodable {
                var name: String
                var `in`: String
            }
            var operationId: String
            var parameters: [Parameter]?
            var responses: [String: Response]
        }
        struct Response: Decodable {
            var content: [String: Content]?
        }
        struct Content: Decodable {}
        struct Schema: Decodable {
            var required: [String]?
            var properties: [String: Property]?
        }
        struct Property: Decodable {}
        struct Components: Decodable { var schemas: [String: Schema] }

        var openapi: String
        var paths: [String: [String: Operation]]
        var components: Components
    }

    private func document() throws -> Document {
        try JSONDecoder().decode(Document.self, from: Data(OpenAPIDocument.text(version: "1.2.3").utf8))
    }

    @Test("it is strict JSON, and served")
    func served() async throws {
        _ = try JSONTree.read(Array(OpenAPIDocument.text(version: "1.2.3").utf8))
        try await withServer { server in
            let response = try await server.send("GET", "/v1/openapi.json")
            #expect(response.status == 200 && response.fields["content-type"] == "application/json")
            let document = try response.decoded(as: Document.self)
            #expect(document.openapi == "3.1.0")
        }
    }

    @Test("each path has exactly the methods that the endpoints have, and their query parameters")
    func routes() throws {
        for (template, operations) in try document().paths {
            let path = template.split(separator: "{id}", omittingEmptySubsequences: false)
                .joined(separator: "1")
                .split(separator: "{name}", omittingEmptySubsequences: false)
                .joined(separator: "one")
            let endpoints = Route.all(at: path).map(\.endpoint)
            #expect(Set(operations.keys) == Set(endpoints.map { $0.method.rawValue.lowercased() }))
            for endpoint in endpoints {
                let operation = try #require(operations[endpoint.method.rawValue.lowercased()])
                let query = (operation.parameters ?? []).filter { $0.in == "query" }.map(\.name)
                #expect(Set(query) == endpoint.queryParameters, "\(template)")
                #expect((operation.responses["415"] != nil) == (endpoint.body != nil), "\(template)")
                #expect((operation.responses["507"] != nil) == (endpoint.method != .get), "\(template)")
            }
        }
    }

    @Test("every schema that is referred to is there, and none besides")
    func references() throws {
        let text = OpenAPIDocument.text(version: "1.2.3")
        let names = text.split(separator: "\"#/components/schemas/").dropFirst().map {
            String($0.prefix { $0 != "\"" })
        }
        #expect(Set(names) == Set(try document().components.schemas.keys))
    }

    @Test("idempotency keys are said to be each user's own")
    func keys() { #expect(OpenAPIDocument.text(version: "1").contains("Keys belong to a user")) }

    @Test("every route is described")
    func complete() throws {
        let ids = Set(try document().paths.values.flatMap { $0.values.map(\.operationId) })
        var expected: Set<String> = [
            "createBatch", "listBatches", "showBatch", "renewBatch", "listJobs", "showJob", "changeJob",
            "indexDocuments", "downloadDocument", "removeDocument", "showThumbPicture", "showMediumPicture",
            "showLargePicture", "listDuplicates", "listSimilar", "makeFingerprint",
            "holdDetection", "releaseDetection", "listHosts", "releaseHost", "showStatus", "showMetrics",
            "showDescription", "followEvents",
            "pauseBatch", "resumeBatch", "cancelBatch", "forgetJobs", "payAttention",
            "createSource", "listSources", "showSource", "applySource", "removeSource", "trySource",
            "listSourcePages", "pollSource", "moreSource", "pauseSource", "resumeSource",
            "listHandedItems", "takeHandedItemsBack",
        ]
        for steering in JobAction.allCases {
            expected.insert("\(steering.rawValue)Job")
            expected.insert("\(steering.rawValue)Jobs")
        }
        #expect(ids == expected)
    }

    @Test("the schemas have the keys that the answers have")
    func schemas() async throws {
        let schemas = try document().components.schemas
        @Sendable func keys(_ response: HTTPClient.Response) throws -> Set<String> {
            Set(try response.decoded(as: [String: Document.Property].self).keys)
        }
        try await withServer { server in
            let batch = try await server.send(
                "POST",
                "/v1/batches",
                #"{"items":[{"url":"http://example.org/a.jpg"}],"lease":60,"skip_known":true}"#
            )
            #expect(try keys(batch) == Set(schemas["Batch"]?.properties?.keys.map { $0 } ?? []))
            let job = try await server.send("GET", "/v1/jobs/1")
            #expect(try keys(job) == Set(schemas["Job"]?.required ?? []))
            // A weight and a folder are shown where there is one.
            _ = try await server.send(
                "POST",
                "/v1/batches",
                #"{"items":[{"url":"http://example.org/b.jpg","folder":"x"}],"weight":2}"#
            )
            let weighted = try await server.send("GET", "/v1/jobs/2")
            #expect(try keys(weighted) == Set(schemas["Job"]?.properties?.keys.map { $0 } ?? []))
            let page = try await server.send("GET", "/v1/jobs")
            #expect(try keys(page) == Set(schemas["JobPage"]?.required ?? []))
            let status = try await server.send("GET", "/v1/status")
            #expect(try keys(status) == Set(schemas["Status"]?.required ?? []))
            let problem = try await server.send("GET", "/v1/jobs/3")
            #expect(try keys(problem) == Set(schemas["Problem"]?.required ?? []))
        }
    }

    @Test("every kind of event is listed")
    func kinds() {
        let failure = JobFailure(.truncated, "x")
        let kinds: [JobEvent.Kind] = [
            .started(url: ""), .progressed(name: "", percent: 10), .received(name: "", bytes: 1),
            .resumed(name: "", offset: 0, total: nil), .restarted(name: "", reason: ""),
            .finished(url: "", partialPath: ""),
            .stored(name: "", path: ""),
            .waiting(name: "", until: Timestamp(microseconds: 0), reason: failure),
            .failed(url: "", failure: failure), .paused(name: ""), .continued(name: ""), .cancelled(name: ""),
            .evicted(name: ""),
            .removed(name: ""),
            .detectionStarted(name: ""), .detectionFinished(name: "", faceCount: 0),
            .detectionDeferred(name: ""), .detectionCancelled(name: ""),
            .detectionFailed(name: "", outcome: .crashed),
        ]
        #expect(kinds.map { $0.parts.word.rawValue } == EventWord.allCases.map(\.rawValue))
    }
}
