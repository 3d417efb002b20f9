import Children
import ControlServer
import DetectorProtocol
import JobModel
import Receivers
import Settings
import Vocabulary

extension Reporter: Part {
    func configure(_ settings: DaemonSettings) throws(StartFailure) -> Change? {
        let reports = try settings.errorReports()
        return { self.configure(reports) }
    }

    func show(in configuration: inout ControlServerConfiguration) {
        configuration.reporting = { self.status }
    }
}

/// Reports of the daemon's parts, as faults.
extension Reporter {
    /// Reports that a child was lost.
    func lost(_ child: Fault.Child, _ end: ChildEnd, at path: String?) {
        report(child, Fault.ChildEnd(end), at: path)
    }

    /// Reports what failed on the way of files to documents.
    func report(_ reports: [(JobID, StorageReport)]) {
        for (_, report) in reports {
            let step: Fault.PublishStep
            let failure: JobFailure
            let errorNumber: Int32?
            switch report {
            case .sealFailed(let reason, _, let number):
                (step, failure, errorNumber) = (.seal, reason, number)
            case .publishFailed(let reason, _, let number):
                (step, failure, errorNumber) = (.publish, reason, number)
            default: continue
            }
            guard let error = Fault.PublishError(code: failure.code.rawValue) else { continue }
            self.report(.publishFailed(step, error, errorNumber: errorNumber))
        }
    }
}

extension Fault.ChildEnd {
    /// Says how a child has ended, without the words that came from outside.
    init(_ end: ChildEnd) {
        switch end {
        case .exited(let status):
            // Where its decoder was ended by a signal, it says so with its own status (``DetectorExit``).
            let signal = status - DetectorExit.decoderSignalled
            self = (1...64).contains(signal) ? .decoderSignal(signal) : .status(status)
        case .signalled(let signal): self = .signal(signal)
        case .notStarted: self = .notStarted
        case .misbehaved: self = .misbehaved
        }
    }
}
