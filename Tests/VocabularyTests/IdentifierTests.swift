import Testing
import Vocabulary

@Suite("Identifiers of jobs and batches")
struct IdentifierTests {
    @Test("An identifier reads again as it is written, and without its letter")
    func round() {
        #expect("\(JobID(7))" == "j7" && "\(BatchID(3))" == "b3")
        #expect(JobID("j7") == JobID(7) && JobID("7") == JobID(7) && BatchID("b3") == BatchID(3))
    }

    @Test(
        "What is no identifier is none",
        arguments: [
            "", "j", "j0", "0", "b7", "J7", "j+7", "j-7", "j 7", "7j", "jj7", "j9223372036854775808",
            "j\u{661}",
        ]
    )
    func refused(text: String) { #expect(JobID(text) == nil) }
}
