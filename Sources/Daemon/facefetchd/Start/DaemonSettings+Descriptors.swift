import Glibc
import JobModel
import Settings

/// The meaning of the settings under the limit on open files and sockets.
extension DaemonSettings {
    /// The number of detector processes that the settings ask for.
    private var wantedDetectors: Int {
        detection.workers > 0 ? detection.workers : Self.processors
    }

    private static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The number of detector processes.
    var detectorCount: Int { descriptors.detectors }

    /// The shares of the descriptors that the daemon may have open.
    var descriptors: DescriptorShares {
        DescriptorShares(
            limit: FileLimit.current,
            processors: Self.processors,
            detectors: wantedDetectors
        )
    }

    /// Returns the number from which on descriptors are left to others, by the limit as it is then.
    var descriptorCeiling: @Sendable () -> Int {
        let (processors, wanted) = (Self.processors, wantedDetectors)
        return {
            DescriptorShares(limit: FileLimit.current, processors: processors, detectors: wanted).ceiling
        }
    }

    /// Notices about settings that ask for more than there are descriptors for.
    var descriptorNotices: [String] {
        descriptors.notices(concurrency: transfer.concurrency, detectors: wantedDetectors)
    }

    /// The most transfers.
    var concurrency: Int { min(transfer.concurrency, descriptors.transfers) }
}
