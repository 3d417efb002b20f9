import ControlAPI
import JobModel

extension EndedJob {
    /// The job with its ending as `GET /v1/jobs?ended_after=` has it, as JSON; for whoever reports it in
    /// another way.
    public func json(now: Moment) -> [UInt8] { JobJSON(self, live: nil, now: now).json }
}
