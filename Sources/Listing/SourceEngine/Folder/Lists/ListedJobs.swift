import JobModel
import SourceCore
import Vocabulary

/// Reads a list piece by piece, in a lister's process, into jobs.
struct ListedJobs: Sendable {
    /// The reason why a list can't be added, for people.
    struct Refusal: Error, Sendable {
        var words: String
        /// True if the reader itself failed, be it for the list or not.
        var isReaders = false
    }

    let reader: any ReaderPort
    let kind: String
    /// The list's copy.
    let path: String

    /// The most rows that are read at once.
    private static let piece = 5000
    /// The most bad rows that are named.
    private static let mostNamed = 20
    /// The base that URLs would be relative to, which they may not be: a host that can't be (RFC 2606 §2).
    private static let base = "https://relative.invalid/"

    /// Reads all of the list, and hands on its jobs in order.
    ///
    /// A bad row refuses all of it. What was handed on before that row was found isn't taken back.
    func forEach(_ take: ([NewJob]) async throws -> Void) async throws {
        let program = ListerProgram(kind: kind)
        var (rows, page, count) = (ListerRequest.Rows(most: Self.piece), 1, 0)
        var bad: [String] = []
        while true {
            let request = ListerRequest(
                id: 0,
                path: path,
                url: Self.base,
                page: page,
                offset: count,
                rows: rows
            )
            let answer: ListerAnswer
            switch await reader.read(request, by: program, for: .folder) {
            case .success(let read): answer = read
            case .failure(let failure):
                let isReaders = ["reader_crashed", "reader_timed_out"].contains(failure.code)
                throw Refusal(words: "it can't be read: \(failure.message)", isReaders: isReaders)
            }
            try Task.checkCancellation()
            var jobs: [NewJob] = []
            bad += answer.page.badItems.map { "line \($0.number): \($0.message)" }
            for item in answer.items where item.wanted != false && !item.url.isEmpty {
                do throws(Refusal) { jobs.append(try Self.job(item)) } catch {
                    bad.append((item.line.map { "line \($0): " } ?? "") + error.words)
                }
                count += 1
            }
            if bad.isEmpty { try await take(jobs) }
            page += 1
            guard case .rows(let next) = answer.page.next, bad.count < Self.mostNamed else { break }
            rows = next
            rows.most = Self.piece
        }
        guard bad.isEmpty else { throw Refusal(words: Self.words(bad)) }
        if count == 0 { throw Refusal(words: "the list has no URLs") }
    }

    private static func words(_ bad: [String]) -> String {
        bad.prefix(mostNamed).joined(separator: "\n")
            + (bad.count > mostNamed ? "\nand others" : "")
            + "\nnothing of it was added: correct or remove that, and put the list into the folder again"
    }

    private static func job(_ item: ListedItem) throws(Refusal) -> NewJob {
        let url: JobURL
        do throws(JobURL.Refusal) { url = try JobURL(item.url) } catch {
            throw Refusal(words: "\"\(String(item.url.prefix(200)).escapedForLog)\": \(error.message)")
        }
        var options = JobOptions(expectedSHA256: item.sha256)
        if let meta = item.meta {
            do throws(JobMeta.Refusal) { options.meta = try JobMeta(json: meta.utf8) } catch {
                throw Refusal(words: "\"\(url.masked.escapedForLog)\": meta: \(error.message)")
            }
        }
        return NewJob(
            url: url,
            name: item.name.map(DocumentName.sanitized),
            priority: item.priority ?? 0,
            options: options
        )
    }
}
