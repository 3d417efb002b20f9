import ControlAPI
import Glibc

/// Waits for a batch to end, and shows what happens meanwhile: live lines on a
/// terminal, event lines in a pipe, nothing before the end with JSON.
final class BatchWait {
    private let client: ControlClient
    private let batch: BatchJSON
    private let output: Output
    private let isJSON: Bool

    /// Waits for `batch`, which has just been accepted.
    init(client: ControlClient, batch: BatchJSON, output: Output, isJSON: Bool) {
        self.client = client
        self.batch = batch
        self.output = output
        self.isJSON = isJSON
    }

    /// Returns when the last job has come to its end.
    func run() throws -> ExitStatus {
        .done
    }
}
