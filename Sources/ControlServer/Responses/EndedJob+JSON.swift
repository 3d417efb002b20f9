import ControlAPI
import JobCore

extension EndedJob {
    /// The job with its ending as `GET /v1/jobs?ended_after=` has it, as JSON; for whoever tells of it otherwise.
    public func json(now: Moment) -> [UInt8] { JobJSON(self, live: nil, now: now).json }
}
