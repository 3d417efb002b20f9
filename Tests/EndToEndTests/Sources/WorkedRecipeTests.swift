import ControlAPI
import Foundation
import TestSupport
import Testing

/// The worked recipes, each walked by the real daemon over a replica of its place.
struct WorkedRecipeTests {
    @Test("Every worked recipe brings the documents of its place, each item once")
    func worked() async throws {
        let rig = try WorkedRig()
        defer { rig.stop() }
        #expect(try RecipeBook.names().sorted() == rig.replicas.map(\.recipe).sorted())
        var daemon = try await rig.startDaemon()
        for place in rig.replicas {
            let added = try await rig.installation.addSource(try rig.recipe(place.recipe), place.recipe)
            #expect(added.status == 0, "\(place.recipe): \(added.errors)")
        }
        for place in rig.replicas {
            let source = try await rig.walked(place.recipe)
            #expect(source.lastError == nil, "\(place.recipe): \(source.lastError?.message ?? "")")
            #expect(
                source.pages == place.pages && source.new == place.keys.count,
                "\(place.recipe): \(source)"
            )
        }
        let jobs = try await rig.jobs()
        for place in rig.replicas {
            let jobs = jobs[place.recipe] ?? []
            #expect(jobs.map { place.key(of: $0) } == place.keys, "\(place.recipe)")
            for job in jobs {
                #expect(job.state == .stored, "\(job.url): \(job.error?.message ?? "")")
                let bytes = try Data(contentsOf: URL(filePath: job.path ?? "/"))
                #expect(Array(bytes) == place.bytes(of: job), "\(job.url)")
            }
        }
        #expect(rig.bucket.bucket.refusals.isEmpty)
        try look(at: jobs)
        try await missionAgain(rig)
        try await more(rig)
        for recipe in ["feed", "table"] { try await unchanged(recipe, rig) }
        // Thirty requests an hour, over a restart, too.
        try await hurried(rig)
        #expect(await daemon.stop() == 0)
        daemon = try await rig.startDaemon()
        let paced = try #require(try await rig.installation.source("hurried") { $0.state.until != nil })
        #expect(paced.state.code == .reading && rig.hurried == 30)
        #expect(await daemon.stop() == 0)
    }

    /// Checks what is recorded of items besides their URLs.
    private func look(at jobs: [String: [JobJSON]]) throws {
        func meta(_ source: String, _ name: String) -> [String?] {
            jobs[source, default: []].map { job in job.meta?.members.first { $0.name == name }?.text }
        }
        #expect(Set(meta("mission", "camera")) == ["FHAZ"] && Set(meta("mission", "rover")) == ["Curiosity"])
        #expect(meta("feed", "title").first == "A & B")
        #expect(meta("table", "title") == ["A, \"B\"", "two\nlines"])
        #expect(jobs["table"]?.first?.name == "first.jpg")
        #expect(jobs["records"]?.allSatisfy { $0.expectedSHA256 == $0.sha256 && $0.sha256 != nil } == true)
    }

    /// Only the sol that has changed is walked again, now with a key that is no default.
    private func missionAgain(_ rig: WorkedRig) async throws {
        let before = rig.origin.requests.filter { $0.path.hasPrefix("/mission/api/") }
        #expect(
            before.allSatisfy {
                $0.target.hasSuffix("api_key=DEMO_KEY") || $0.target.contains("api_key=DEMO_KEY&")
            }
        )
        try rig.write(secret: "nasa", "k3y&of=nasa")
        rig.mission.add(to: 2)
        _ = try await rig.installation.facefetch("source", "poll", "mission")
        let again = try await rig.walked("mission", 2)
        #expect(again.new == 1 && again.known == 3)
        let after = rig.origin.requests.filter { $0.path.hasPrefix("/mission/api/") }.dropFirst(before.count)
        #expect(
            after.map(\.target) == [
                "/mission/api/v1/manifests/curiosity?api_key=k3y%26of%3Dnasa",
                "/mission/api/v1/rovers/curiosity/photos?sol=2&api_key=k3y%26of%3Dnasa",
            ]
        )
    }

    /// Checks that what hasn't changed is asked for once more, and costs nothing else.
    private func unchanged(_ recipe: String, _ rig: WorkedRig) async throws {
        let before = rig.origin.requests.count { $0.path.hasPrefix("/\(recipe)/") }
        for walk in 2...3 {
            _ = try await rig.installation.facefetch("source", "poll", recipe)
            let source = try await rig.walked(recipe, walk)
            #expect(source.new == 0 && source.lastError == nil && source.walk?.complete == true, "\(source)")
        }
        let asked = rig.origin.requests.filter { $0.path.hasPrefix("/\(recipe)/") }.dropFirst(before)
        #expect(asked.map { $0.header("if-none-match") } == ["\"\(recipe)\"", "\"\(recipe)\""])
    }

    private func more(_ rig: WorkedRig) async throws {
        #expect(try await rig.installation.source("endless").total == 1000)
        _ = try await rig.installation.facefetch("source", "more", "endless")
        let source = try await rig.installation.source("endless") { $0.items == 40 && $0.state.code == .held }
        #expect(source != nil)
    }

    private func hurried(_ rig: WorkedRig) async throws {
        let recipe = try rig.recipe("mission").replacing("name: mission", with: "name: hurried")
            .replacing("default: curiosity", with: "default: opportunity")
        try await rig.installation.addSource(recipe, "hurried")
        let source = try #require(
            try await rig.installation.source("hurried") { $0.state.until != nil }
        )
        let until = try #require(
            source.state.until.flatMap {
                try? Date($0, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
            }
        )
        #expect((3000...3610).contains(until.timeIntervalSinceNow))
        #expect(rig.hurried == 30)
    }
}

extension WorkedRig {
    /// The number of times that the API was asked about Opportunity.
    fileprivate var hurried: Int { origin.requests.count { $0.path.contains("/opportunity") } }
}
