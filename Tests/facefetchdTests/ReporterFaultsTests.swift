import Testing

@testable import Children
@testable import Receivers
@testable import facefetchd

@Suite("What becomes of a child's end in a report")
struct ReporterFaultsTests {
    @Test(
        "keeps numbers and leaves out words, and knows a decoder's signal by its detector's status",
        arguments: [
            (.signalled(11), .signal(11)), (.exited(1), .status(1)), (.exited(75), .status(75)),
            (.exited(139), .decoderSignal(11)), (.exited(159), .decoderSignal(31)),
            (.exited(128), .status(128)),
            (.exited(255), .status(255)), (.notStarted("/a path can't be run"), .notStarted),
            (.misbehaved("a name"), .misbehaved),
        ] as [(ChildEnd, Fault.ChildEnd)]
    )
    func ends(end: ChildEnd, reported: Fault.ChildEnd) { #expect(Fault.ChildEnd(end) == reported) }
}
