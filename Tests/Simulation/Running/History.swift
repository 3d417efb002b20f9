import Foundation
import TestSupport

/// What came of a scenario.
struct History: Sendable {
    var scenario: Scenario
    var broken: BrokenPromise?
    /// A number that is the same for two histories only if the same happened in them.
    var fingerprint: UInt64
    /// How often each thing was met.
    var met: [String: Int]
    /// The history in lines; empty unless it was to be told.
    var story: [String]
    /// The number of events in the log.
    var events: Int
    /// The seconds at which a document of each host arrived last, by the host's name and port.
    var arrivedAt: [String: Double]

    /// Lives through a scenario.
    init(of scenario: Scenario, isTold: Bool = false) throws {
        // In memory where that is possible: a history has thousands of commits, and each would sync a disk.
        let memory = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : nil
        let directory = try TemporaryDirectory(in: memory)
        let world = World(scenario, in: directory, isTold: isTold)
        try world.run()
        self.scenario = scenario
        broken = world.promises.broken
        fingerprint = world.fingerprint
        met = world.coverage.counts
        story = world.story
        events = world.log.events.count
        arrivedAt = world.promises.arrivedAt
        world.kill()
    }

    /// What a person needs to look at a broken promise: the hosts, what was done, and what came of it.
    var report: String {
        var lines = ["seed \(scenario.seed): \(broken.map { "\($0)" } ?? "all promises are kept")"]
        lines += ["settings: \(scenario.settings)"]
        lines += scenario.hosts.filter { $0.kind != .steady || scenario.hosts.count < 12 }.map { "  \($0)" }
        lines += scenario.lists.map { "  \($0)" }
        lines += story.suffix(200).map { "  \($0)" }
        return lines.joined(separator: "\n")
    }
}
