import ControlAPI
import Glibc

/// Posts what a daemon can't take at present, such as while it waits before it starts, until it takes it.
struct PatientPost {
    private let client: ControlClient
    /// True if somebody waits for the files anyway.
    private let waits: Bool
    private var hasSaidSo = false

    /// The seconds from one try to the next.
    private static let pauses = 0.25...5.0

    init(_ client: ControlClient, waits: Bool) { (self.client, self.waits) = (client, waits) }

    /// Submits a batch; one whose daemon has too much to do is submitted again under its key.
    ///
    /// - Throws: ``RefusedItems`` or ``ClientError``, which says how to have it wait where it doesn't.
    mutating func callAsFunction(_ batch: BatchRequest, key: String) throws -> PostedBatch {
        let json = batch.json
        var tries = 0
        while true {
            do {
                return try client.post(json: json, key: key)
            } catch var error as ClientError where error.code == ProblemCode.busy.rawValue {
                guard waits else {
                    error.message += " With --wait it is added as soon as the daemon takes it."
                    throw error
                }
                if !hasSaidSo { Output.note("\(error.message) Trying until then; Ctrl-C gives it up.") }
                hasSaidSo = true
                usleep(UInt32(Self.pauses.doubled(times: tries) * 1_000_000))
                tries += 1
            }
        }
    }
}
