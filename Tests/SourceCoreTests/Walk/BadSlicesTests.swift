import Foundation
import Testing

@testable import SourceCore

/// Tests of what a walk knows of slices that could not be read.
struct BadSlicesTests {
    @Test("Of very many slices that fail 20 are named, and each counts once")
    func many() {
        var bad = BadSlices()
        for number in 0..<50 {
            bad.add(.init(key: "\(number)", url: "", failure: SourceFailure(.connection, "")))
            bad.add(.init(key: "0", url: "", failure: SourceFailure(.connection, "")))
        }
        #expect(bad.count == 50 && bad.named.count == BadSlices.mostNamed)
    }

    @Test("Those that are not named are known, too, also after a restart, up to a bound")
    func unnamed() throws {
        var bad = BadSlices()
        func add(_ number: Int) {
            bad.add(.init(key: "s/\(number)", url: "", failure: SourceFailure(.connection, "")))
        }
        for number in 0..<50 { add(number) }
        bad = try JSONDecoder().decode(BadSlices.self, from: try JSONEncoder().encode(bad))
        #expect((0..<50).allSatisfy { bad.contains("s/\($0)") })
        #expect(!bad.contains("s/50") && !bad.contains("t/1"))
        for number in 0..<50 { add(number) }
        #expect(bad.count == 50)

        for number in 50..<(2 * BadSlices.mostKnown) { add(number) }
        let stored = try JSONEncoder().encode(bad)
        #expect(bad.count == 2 * BadSlices.mostKnown && stored.count < 50_000)
        #expect(bad.contains("s/\(BadSlices.mostKnown - 1)") && !bad.contains("s/\(BadSlices.mostKnown)"))
    }
}
