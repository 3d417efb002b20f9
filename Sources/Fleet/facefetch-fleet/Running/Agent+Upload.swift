import FleetCore

/// Documents that the agent has brought into a bucket.
extension Agent {
    /// Returns whether a document has to be in a bucket before it is reported.
    ///
    /// Of one that others have taken over, or that has been reported, nothing is left to do but to remove it.
    func isUploaded(_ ending: FleetEnding) -> Bool {
        settings.place.key(of: ending) != nil && slices.holds(ending.job)
    }

    /// Notes what was uploaded, and hands over what is to be uploaded next.
    func upload() {
        guard let uploader else { return }
        for result in uploader.drain() {
            window.uploaded(result.ending, result.upload, at: now)
            if result.upload == .stored {
                figures.uploads.add(result.time)
                figures.uploadedBytes += Int(result.ending.bytes)
            } else {
                figures.uploadFailures += 1
            }
            if let reason = result.reason { note("s3", reason) }
        }
        // Before it stops, it finishes what is on its way, and begins nothing.
        guard !isClosed else { return }
        let next = window.uploads(at: now, atMost: uploader.capacity)
        uploader.add(next.compactMap { ending in settings.place.key(of: ending).map { (ending, $0) } })
    }
}
