import JobModel

extension DetectorPoolMachine {
    /// The current state of the processes.
    var status: DetectorPoolStatus {
        var status = DetectorPoolStatus()
        status.started = serial
        for place in places {
            switch place {
            case .empty: break
            case .starting: status.starting += 1
            case .idle: status.idle += 1
            case .busy: status.busy += 1
            case .finishing, .ending: status.ending += 1
            }
        }
        return status
    }
}
