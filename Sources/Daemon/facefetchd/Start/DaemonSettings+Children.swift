import Children
import DocumentStore
import Glibc
import Settings
import SourceEngine
import Vocabulary

/// The configuration of detectors, of the process that makes pictures, and of listers.
extension DaemonSettings {
    /// The settings that detectors depend on; if they change, detectors are replaced.
    var detectors: Detection {
        var detection = detection
        // This only concerns the gate.
        detection.when = .always
        return detection
    }

    /// Checks that the files which detectors need can be read.
    ///
    /// - Throws: ``StartFailure`` for a file that can't be read.
    func checkDetection() throws(StartFailure) {
        let files = [("detection.model", detection.model), ("detection.cascade", detection.cascade)]
        for case (let key, let file?) in files where access(file, R_OK) != 0 {
            throw StartFailure(
                status: .badSettings,
                description: "\(key): \(file) can't be read: \(String(cString: strerror(errno))); "
                    + "correct the path, or make the file readable for the daemon's user"
            )
        }
    }

    /// Returns the detector pool's configuration.
    func detectorPool(executable: String) -> DetectorPoolConfiguration {
        var arguments = [
            "--serve", "--documents", paths.documents, "--engine", detection.looking.rawValue,
            "--small-faces", detection.smallFaces.rawValue,
            "--turned", detection.turned.rawValue,
            "--working-size", String(detection.workingSize),
            "--scale-factor", String(detection.scaleFactor),
            "--neighbours", String(detection.neighbours),
            "--minimum-face", String(detection.minimumFace),
        ]
        // The pool's own limit comes first and is the one reported; the detector's is in case the daemon
        // is late.
        arguments += ["--time-limit", String(detection.timeout + 5)]
        if let network = detection.network { arguments += ["--model", network] }
        // What was found is known, or has been replaced since.
        if detection.model != nil, detection.unknownModel == .allow {
            arguments.append("--allow-unknown-model")
        }
        if let cascade = detection.cascade { arguments += ["--cascade", cascade] }
        if detection.sandbox == .required { arguments.append("--require-landlock") }
        return DetectorPoolConfiguration(
            executable: executable,
            arguments: arguments,
            workers: detectorCount,
            timeout: .seconds(detection.timeout)
        )
    }

    /// The limits of the pictures for people to look at that are kept on the disk.
    var pictureCache: PictureCache.Limits {
        PictureCache.Limits(budget: gallery.cache, reserve: disk.reserve)
    }

    /// Returns the configuration of the process that makes pictures for people to look at.
    func pictureMaker(executable: String) -> DetectorPoolConfiguration {
        var arguments = ["--serve-pictures", "--documents", paths.documents]
        // Our own limit comes first, as with detectors.
        arguments += ["--time-limit", String(detection.timeout + 5)]
        if detection.sandbox == .required { arguments.append("--require-landlock") }
        return DetectorPoolConfiguration(
            executable: executable,
            arguments: arguments,
            workers: 1,
            timeout: .seconds(detection.timeout)
        )
    }

    /// Returns the configuration of listers.
    func listerPool(executable: String) -> ListerPoolConfiguration {
        ListerPoolConfiguration(
            executable: executable,
            pages: sourceEngine.pagesDirectory,
            requiresLandlock: detection.sandbox == .required,
            width: descriptors.readers
        )
    }
}
