import Foundation
import TestSupport

/// The real `facefetch-detector`, built beside these tests, run to its end.
struct Detector {
    let status: Int32
    let bytes: [UInt8]
    let errors: String

    var output: String { String(decoding: bytes, as: UTF8.self) }

    /// The output's lines as JSON objects.
    var lines: [[String: Any]] {
        output.split(separator: "\n").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
    }

    /// A kernel that answers one system call with an error, or in another way that older-kernel knows.
    struct Kernel {
        let refused: String
        let answer: String

        init(refused: String, error: Int32) {
            self.refused = refused
            answer = String(error)
        }

        /// One that ends whoever makes the call.
        static func killing(_ call: String) -> Kernel { Kernel(call, "kill") }

        /// One on which there is a listener for a call already, for one that nobody makes.
        static let listening = Kernel("acct", "listen")

        private init(_ refused: String, _ answer: String) {
            self.refused = refused
            self.answer = answer
        }
    }

    init(
        _ arguments: [String],
        input: [UInt8] = [],
        in folder: String? = nil,
        on kernel: Kernel? = nil,
        descriptors: Int? = nil,
        memory: Int? = nil,
        environment: [String: String] = [:],
        program: String = "facefetch-detector"
    ) throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let programs = URL(filePath: tests).deletingLastPathComponent()
        let detector = programs.appending(path: program)
        var words = [detector.path] + arguments
        if !environment.isEmpty {
            words = ["/usr/bin/env"] + environment.map { "\($0.key)=\($0.value)" } + words
        }
        if let kernel {
            words = [programs.appending(path: "older-kernel").path, kernel.refused, kernel.answer] + words
        }
        if let descriptors {
            words = ["/bin/sh", "-c", "ulimit -n \(descriptors) && exec \"$@\"", "sh"] + words
        }
        if let memory {
            words = ["/bin/sh", "-c", "ulimit -v \(memory >> 10) && exec \"$@\"", "sh"] + words
        }
        // Files, not pipes: nobody has to read while the process runs.
        let scratch = try TemporaryFolder()
        let files = try ["in", "out", "err"].map { try scratch.file($0, $0 == "in" ? input : []) }
        status = try Spawn.run(
            words[0],
            Array(words.dropFirst()),
            in: folder,
            files: (files[0], files[1], files[2])
        )
        bytes = Array(try Data(contentsOf: URL(filePath: files[1])))
        errors = String(decoding: try Data(contentsOf: URL(filePath: files[2])), as: UTF8.self)
    }
}
