import Vocabulary

@testable import CurlTransfer
@testable import JobCore
@testable import JobModel

/// The head of a response, line by line as libcurl hands it over, and what is made of it.
enum ResponseHeadTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        guard let reader = try head(in: bytes), let url = try? JobURL("https://example.org/a.jpg") else {
            return nil
        }
        let head = reader.head
        try promise(head.status == status(in: bytes), "a line that is none counts as the status line")
        try promise(head.status >= 200, "a head of status \(head.status) counts as the final one")
        try promise(head.contentLength ?? 0 >= 0, "a length is below zero")
        try judge(head, url: url, resume: nil)
        for validator in [Validator.entityTag("\"v1\""), .lastModified("Sun, 06 Nov 1994 08:49:37 GMT")] {
            for total in [1000, nil] as [Int64?] {
                try judge(
                    head,
                    url: url,
                    resume: ResumePoint(offset: 500, total: total, validator: validator)
                )
            }
        }
        return head.entityTag
    }

    /// The status of the first head that is no interim one, by where its lines stand.
    private static func status(in bytes: [UInt8]) -> Int? {
        var isFirst = true
        var status: Int?
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if isFirst {
                let digits = line.drop { $0 != 0x20 }.dropFirst().prefix(3)
                status = Int(String(decoding: digits, as: UTF8.self))
                isFirst = false
            } else if line.isEmpty || line.first == 0x0D {
                guard let found = status, found < 200 else { return status }
                isFirst = true
            }
        }
        return nil
    }

    /// Nil where the head isn't complete.
    private static func head(in bytes: [UInt8]) throws(BrokenPromise) -> HeadReader? {
        var reader = HeadReader()
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            // An array of its own: reading past the line is reading past the memory.
            let line = Array(rest[..<end])
            rest = rest[end...]
            switch line.withUnsafeBytes({ reader.parse($0) }) {
            case .more: break
            case .malformed(let reason):
                try promise(!reason.isEmpty, "there is no reason")
                return nil
            case .complete:
                try checkPage(bytes.prefix(bytes.count - rest.count), reader.head)
                return reader
            }
        }
        return nil
    }

    /// The head of a page is read by the same rules.
    private static func checkPage(_ bytes: ArraySlice<UInt8>, _ head: ResponseHead) throws(BrokenPromise) {
        var reader = PageHeadReader()
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
            guard (Array(line) + [0x0A]).withUnsafeBytes({ reader.parse($0) }) else {
                throw BrokenPromise(description: "a page's head makes no sense, and a file's does")
            }
        }
        try promise(reader.status == head.status, "a page has another status")
    }

    private static func judge(_ head: ResponseHead, url: JobURL, resume: ResumePoint?) throws(BrokenPromise) {
        let policy = TransferPolicy()
        let verdict = ResponseVerdict(
            to: head,
            url: url,
            resume: resume,
            policy: policy,
            now: Timestamp(microseconds: 1_700_000_000_000_000)
        )
        switch verdict {
        case .accept(let start), .acceptIfPicture(let start, _): try check(start, of: head, resume: resume)
        case .complete(let length):
            try promise(resume?.offset == length, "a partial of another length is complete")
        case .mustRestart(let reason):
            try promise(resume != nil, "who asked for the whole file is to ask for it again")
            try check(reason)
        case .redirect(let target): try promise(target.isReadable, "it leads to nowhere")
        case .interrupted(let failure, let wait):
            try promise(wait.map(AskedWait.honoured.contains) ?? true, "it is to wait \(wait ?? 0) s")
            try check(failure.message)
        case .busy(let failure, let seconds):
            try promise(seconds.map { !$0.isNaN } ?? true, "it is to wait for no number of seconds")
            try check(failure.message)
        case .refused(let failure): try check(failure.message)
        }
    }

    private static func check(
        _ start: TransferStart,
        of head: ResponseHead,
        resume: ResumePoint?
    ) throws(BrokenPromise) {
        if case .resumed = start.mode {
            try promise(head.status == 206, "a partial goes on without a part")
            try promise(start.offset == resume?.offset, "a partial goes on elsewhere")
            try promise(resume?.total.map { $0 == start.total } ?? true, "a file has another length now")
            try promise(start.validator == resume?.validator, "a file is another version now")
        } else {
            try promise(start.offset == 0, "a file begins at byte \(start.offset)")
        }
        let lengths = 0...Job.largestLength
        try promise(start.total.map(lengths.contains) ?? true, "a file has \(start.total ?? 0) bytes")
        if let name = start.suggestedName {
            try promise(!name.isEmpty, "a name is empty")
            try ContentDispositionTrial.checkSafety(DocumentName.sanitized(name))
        }
        let url = try? JobURL("https://h/300")
        let name = url.map { DocumentName.extended("300", for: $0, contentType: start.contentType) }
        try ContentDispositionTrial.checkSafety(name ?? "300")
    }

    /// Checks that what servers say is kept, and shown, in parts only.
    private static func check(_ message: String) throws(BrokenPromise) {
        try promise(!message.isEmpty, "there is no reason")
    }
}
