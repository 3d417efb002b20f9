import Digests
import Glibc
import SmallFiles
import Vocabulary

extension BucketClient {
    /// From which length on a document is uploaded in parts, and how long these are, if not more than S3 allows
    /// come of it: 64 MiB, in bytes.
    static let partLength: Int64 = 64 << 20
    /// The most parts of an upload (S3's limits: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html).
    private static let mostParts: Int64 = 10_000
    /// The number of times that a part is tried.
    private static let partTries = 3

    /// Uploads a document under a key made of its content, unless it is there.
    ///
    /// The bytes are looked at before they are sent, and the server is told their SHA-256: what arrives is what
    /// was stored, or nothing.
    func upload(
        _ document: InnerPath,
        length: Int64,
        sha256: String,
        key: String,
        partLength: Int64 = partLength
    ) throws(UploadFailure) {
        let file = try Self.open(document, length)
        defer { close(file) }
        if length >= partLength {
            return try uploadParts(
                of: file,
                length,
                sha256,
                key,
                max(partLength, length / Self.mostParts + 1)
            )
        }
        var hash = SHA256()
        guard try Self.hash(file, from: 0, count: length, { hash.update(bufferPointer: $0) }) == sha256 else {
            throw .changed
        }
        let answer = try conditionally { fields throws(UploadFailure) in
            try send("PUT", key, .file(file, from: 0, count: length), sha256: sha256, fields: fields)
        }
        try check(answer)
    }

    /// Opens a document, if it is there and has its length.
    private static func open(_ document: InnerPath, _ length: Int64) throws(UploadFailure) -> Int32 {
        let (file, status): (Int32, stat)
        do throws(FileFailure) { (file, status) = try document.openFile() } catch {
            switch error {
            // A link isn't followed, wherever on the way there it is.
            case .system(ENOENT), .system(ELOOP), .system(ENOTDIR), .notRegular, .tooLong: throw .changed
            case .system(let number):
                let advice = number == EACCES ? "; the agent's user has to be in the daemon's group" : ""
                throw .trouble("a document can't be read: \(error)\(advice)")
            }
        }
        guard Int64(status.st_size) == length else {
            close(file)
            throw .changed
        }
        return file
    }

    private func uploadParts(
        of file: Int32,
        _ length: Int64,
        _ sha256: String,
        _ key: String,
        _ partLength: Int64
    ) throws(UploadFailure) {
        let begun = try send("POST", key, parameters: [("uploads", "")], .bytes([]), sha256: Self.emptyHash)
        try check(begun)
        guard let upload = begun.element("UploadId"), !upload.isEmpty else {
            throw .trouble("the bucket's server began an upload without naming it")
        }
        do {
            try sendParts(of: file, length, sha256, key, partLength, upload)
        } catch {
            // Whatever it answers: a rule of the bucket ends what is left.
            _ = try? send(
                "DELETE",
                key,
                parameters: [("uploadId", upload)],
                .bytes([]),
                sha256: Self.emptyHash
            )
            throw error
        }
    }

    private func sendParts(
        of file: Int32,
        _ length: Int64,
        _ sha256: String,
        _ key: String,
        _ partLength: Int64,
        _ upload: String
    ) throws(UploadFailure) {
        var whole = SHA256()
        var list = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        var number = 0
        for start in stride(from: 0, to: length, by: Int64.Stride(partLength)) {
            number += 1
            let count = min(partLength, length - start)
            let hash = try Self.hash(file, from: start, count: count) { whole.update(bufferPointer: $0) }
            let tag = try sendPart(number, of: upload, key, .file(file, from: start, count: count), hash)
            let quoted = tag.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            list += "<Part><PartNumber>\(number)</PartNumber><ETag>\(quoted)</ETag></Part>"
        }
        guard whole.finalize().hexText == sha256 else { throw .changed }
        let bytes = Array((list + "</CompleteMultipartUpload>").utf8)
        let answer = try conditionally { fields throws(UploadFailure) in
            try send(
                "POST",
                key,
                parameters: [("uploadId", upload)],
                .bytes(bytes),
                sha256: SHA256.hash(data: bytes).hexText,
                fields: fields
            )
        }
        try check(answer)
        if answer.status == 412 {
            _ = try send(
                "DELETE",
                key,
                parameters: [("uploadId", upload)],
                .bytes([]),
                sha256: Self.emptyHash
            )
        }
    }

    /// Sends a part, and again if need be; returns its ETag.
    private func sendPart(
        _ number: Int,
        of upload: String,
        _ key: String,
        _ body: Body,
        _ sha256: String
    ) throws(UploadFailure) -> String {
        var attempt = 0
        while true {
            attempt += 1
            do throws(UploadFailure) {
                let answer = try send(
                    "PUT",
                    key,
                    parameters: [("partNumber", "\(number)"), ("uploadId", upload)],
                    body,
                    sha256: sha256
                )
                try check(answer)
                if let tag = answer.entityTag { return tag }
                throw .trouble("the bucket's server took a part without an ETag")
            } catch {
                guard case .trouble = error, attempt < Self.partTries else { throw error }
            }
        }
    }

    /// Asks for an object to be made only if there is none, unless the server doesn't know how.
    ///
    /// What is there has the same content: without the condition, it would be written again, which does no
    /// harm.
    private func conditionally(
        _ request: ([String]) throws(UploadFailure) -> Answer
    ) throws(UploadFailure) -> Answer {
        let answer = try request(["If-None-Match: *"])
        return answer.status == 501 || answer.code == "NotImplemented" ? try request([]) : answer
    }

    /// Returns if the server has what it was sent, or had it (412).
    private func check(_ answer: Answer) throws(UploadFailure) {
        // To complete an upload can fail although the status says it didn't.
        if (200..<300).contains(answer.status), answer.code == nil { return }
        if answer.status == 412 { return }
        let word = answer.code ?? "status \(answer.status)"
        let advice =
            switch answer.code {
            case "AccessDenied": "; the key needs s3:PutObject and s3:AbortMultipartUpload"
            case "InvalidAccessKeyId", "SignatureDoesNotMatch": "; check s3-credentials"
            case "NoSuchBucket": "; check s3-bucket"
            case "AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect":
                answer.element("Region").map { "; the bucket is in the region \($0): check s3-region" }
                    ?? "; check s3-region"
            case "RequestTimeTooSkewed": "; this machine's clock or the server's is wrong"
            case "ExpiredToken": "; the session token in s3-credentials has expired"
            default: ""
            }
        throw .trouble("the bucket's server takes no document: \(word)\(advice)")
    }

    /// Reads a part of a file, and returns its SHA-256 in lower-case hex.
    private static func hash(
        _ file: Int32,
        from start: Int64,
        count: Int64,
        _ also: (UnsafeRawBufferPointer) -> Void
    ) throws(UploadFailure) -> String {
        var hash = SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var done: Int64 = 0
        while done < count {
            let wanted = Int(min(Int64(buffer.count), count - done))
            let got = pread(file, buffer.baseAddress, wanted, off_t(start + done))
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { throw .changed }
            let part = UnsafeRawBufferPointer(rebasing: buffer[..<got])
            hash.update(bufferPointer: part)
            also(part)
            done += Int64(got)
        }
        return hash.finalize().hexText
    }

    private static let emptyHash = SHA256.hash(data: [UInt8]()).hexText
}
