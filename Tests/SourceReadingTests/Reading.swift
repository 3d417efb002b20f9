import Glibc
import SourceCore
import Synchronization
import Testing

@testable import SourceReading

/// A page read in this process.
struct Reading {
    var items: [ListedItem] = []
    var page: ListedPage?
    var failure: ListerFailure?
    /// The number of bytes that were decompressed for it.
    var decompressed = 0

    /// The programs that have been compiled already: each takes 20 ms, and most tests use the same few.
    private static let programs = Mutex<[ListerProgram: PageProgram]>([:])

    /// Reads a page by a program.
    init(
        _ program: ListerProgram,
        _ page: [UInt8],
        _ change: (inout ListerRequest) -> Void = { _ in }
    ) throws {
        var request = ListerRequest(id: 1, path: "", url: "https://h.example/dir/page?n=1")
        change(&request)
        let file = try #require(tmpfile())
        defer { fclose(file) }
        fwrite(page, 1, page.count, file)
        fflush(file)
        let isCompressed = page.starts(with: PageInput.compressedStart)
        let begin = isCompressed ? request.rows.usablePlace?.start ?? 0 : request.rows.bytes
        lseek(fileno(file), begin, SEEK_SET)
        let (frames, decompressed) = try Self.frames(program, request, fileno(file), isCompressed)
        self.decompressed = decompressed
        var children: [ListedPage.Child] = []
        for frame in frames {
            switch frame.kind {
            case .items: items += try frame.decode([ListedItem].self)
            case .children: children += try frame.decode([ListedPage.Child].self)
            case .page:
                self.page = try frame.decode(ListedPage.self)
                self.page?.children += children
            default: failure = try frame.decode(ListerFailure.self)
            }
        }
        #expect(frames.allSatisfy { $0.bytes.count <= ListerFrame.maximumLength })
        #expect((self.page == nil) != (failure == nil))
    }

    private static func frames(
        _ program: ListerProgram,
        _ request: ListerRequest,
        _ descriptor: Int32,
        _ isCompressed: Bool
    ) throws -> (frames: [ListerFrame], decompressed: Int) {
        try programs.withLock { programs in
            let compiled = try programs[program] ?? PageProgram(program)
            programs[program] = compiled
            var frames: [ListerFrame] = []
            let place = request.rows.usablePlace
            let input = PageInput(descriptor: descriptor, isCompressed: isCompressed, from: place)
            PageReader(program: compiled, request: request) { kind, body in
                frames.append(ListerFrame(kind, id: 1, body: body))
            }.run(input)
            return (frames, input.decompressed)
        }
    }

    init(_ program: ListerProgram, _ page: String, _ change: (inout ListerRequest) -> Void = { _ in }) throws
    {
        try self.init(program, Array(page.utf8), change)
    }

    /// The URLs of what is wanted.
    var urls: [String] { items.filter { $0.wanted != false }.map(\.url) }
}

extension ListerProgram {
    /// A program with changes.
    static func of(_ kind: String, _ change: (inout ListerProgram) -> Void = { _ in }) -> ListerProgram {
        var program = ListerProgram(kind: kind)
        change(&program)
        return program
    }

    /// A program for JSON.
    static func json(
        _ items: String = ".[]",
        url: String = ".u",
        _ change: (inout ListerProgram) -> Void = { _ in }
    )
        -> ListerProgram
    {
        of("json") {
            $0.items = items
            $0.url = url
            change(&$0)
        }
    }
}
