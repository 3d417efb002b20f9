import ControlAPI
import HTTPTypes
import JobCore
import JobEngine
import JobModel
import Vocabulary

extension Endpoint {
    /// The endpoints for documents that look alike.
    static let likeness = [
        Endpoint(
            .get,
            "/v1/jobs/duplicates",
            id: "listDuplicates",
            "Groups of documents of which each is like another one of the group: by its fingerprint, or with the same content. The largest group comes first, and its documents by id; a page has documents, and a group may go on on the next.",
            parameters: [
                Parameters.distance, Parameters.batch, Parameters.source, Parameters.meta,
                Parameters.minFaces,
                Parameters.text, Parameters.doneAfter, Parameters.limit, Parameters.afterDuplicates,
            ],
            answer: AnswerShape(schema: PageJSON<AlikeJSON>.schema),
            problems: [.busy, .notPossible],
            handler: .reply { server, call in try await server.listDuplicates(call) }
        ),
        Endpoint(
            .get,
            "/v1/jobs/{id}/similar",
            id: "listSimilar",
            "The documents that are like a job's: by their fingerprints, or with the same content. The most alike come first; there is one page.",
            parameters: [Parameters.distance, Parameters.limit],
            problems: [.noSuchJob]
        ) { server, call in
            guard let job = try await server.queries.job(call.job) else {
                throw ProblemJSON.noSuchJob(call.job)
            }
            let found = try await server.queries.similar(
                to: job,
                distance: call.distance,
                limit: call.limit
            )
            return PageJSON(
                items: found.items.map { AlikeJSON(job: server.show($0.job), distance: $0.distance) },
                total: found.total,
                hasMore: found.total > found.items.count && found.items.count == call.limit,
                next: nil
            )
        },
        Endpoint(
            .post,
            "/v1/jobs/{id}/fingerprint",
            id: "makeFingerprint",
            "Makes the fingerprint of a document whose faces were counted before fingerprints were made. Nothing else of its result changes, and nothing is done where it has one.",
            problems: [.noSuchJob, .notPossible, .notStored, .documentGone, .unreadable, .busy]
        ) { server, call in try await call.whileWaited { try await server.makeFingerprint(call) } },
    ]
}

extension Parameters {
    /// The number of bits in which the fingerprints of documents that are alike may differ.
    static let distance = Parameter<Int64>.integer(
        "distance",
        from: Int64(Fingerprint.distances.lowerBound),
        to: Int64(Fingerprint.distances.upperBound),
        "The most bits in which fingerprints may differ. From about 10 on, pictures are taken for alike that aren't.",
        unless: .integer(
            from: Int64(Fingerprint.distances.lowerBound),
            to: Int64(Fingerprint.distances.upperBound)
        ).defaulting(to: Fingerprint.usualDistance.description)
    )

    /// The number of an ending after which documents were done.
    static let doneAfter = Parameter<Int64>.integer(
        "ended_after",
        from: 0,
        "Only of what was done after the ending with this number."
    )

    /// The beginning of a page of duplicates.
    static let afterDuplicates = Parameter<DuplicatesCursor>(
        "after",
        .string(pattern: "^[0-9a-f]{16}-[0-9]{1,18}$"),
        "The value of next on the previous page, which is kept for ten minutes."
    ) { (text) throws(ProblemJSON) in
        guard let cursor = DuplicatesCursor(text) else {
            throw ProblemJSON(.invalidParameter, "after is the value of next on the previous page")
        }
        return cursor
    }
}

extension Call {
    /// The distance within which documents are alike.
    fileprivate var distance: Int {
        self[Parameters.distance].map { Int($0) } ?? Fingerprint.usualDistance
    }
}

extension RequestHandler {
    /// Returns a page of duplicates.
    fileprivate func listDuplicates(_ call: Call) async throws -> Reply {
        let cursor = call[Parameters.afterDuplicates]
        let answer: Duplicates.Answer
        do {
            answer = try await call.whileWaited {
                guard let cursor else {
                    let query = Duplicates.Query(
                        filter: call.filter,
                        endedAfter: call[Parameters.doneAfter],
                        distance: call.distance
                    )
                    return try await duplicates.find(query, among: queries)
                }
                guard let answer = duplicates.kept(cursor.token) else {
                    throw ProblemJSON(
                        .notPossible,
                        "these duplicates aren't kept any more; ask for the first page again"
                    )
                }
                return answer
            }
        } catch is Duplicates.Busy {
            return .problem(
                ProblemJSON(.busy, "duplicates are being looked for; ask again in some seconds"),
                fields: [.retryAfter: "2"]
            )
        } catch LikenessFailure.tooMany {
            throw ProblemJSON(
                .notPossible,
                "too many documents would have to be compared; ask with a smaller distance, or for fewer documents"
            )
        } catch LikenessFailure.cancelled {
            throw CancellationError()
        }
        return .json(try await page(of: answer, from: cursor?.place ?? 0, limit: call.limit))
    }

    /// Returns the documents of an answer from a place on; those that were forgotten in the meantime are left out.
    private func page(
        of answer: Duplicates.Answer,
        from place: Int,
        limit: Int
    ) async throws -> PageJSON<AlikeJSON> {
        let members = answer.groups.members
        let first = min(place, members.count)
        let places = first..<min(first + limit, members.count)
        let ids = places.map { JobID(rawValue: answer.jobs[Int(members[$0])]) }
        var filter = JobFilter()
        filter.ids = Set(ids)
        let jobs =
            ids.isEmpty ? [] : try await queries.jobs(filter, order: .oldest, after: nil, limit: limit).items
        let byID = Dictionary(jobs.map { ($0.id, $0) }) { first, _ in first }
        var items: [AlikeJSON] = []
        // The group of the first place, found by halves.
        var group = answer.groups.starts.partitioningIndex { $0 > places.lowerBound } - 1
        for (place, id) in zip(places, ids) {
            while group + 1 < answer.groups.count, answer.groups.starts[group + 1] <= place { group += 1 }
            guard let job = byID[id] else { continue }
            items.append(
                AlikeJSON(job: show(job), group: group + 1, groupSize: answer.groups[group].count)
            )
        }
        let hasMore = places.upperBound < members.count
        if !hasMore { duplicates.drop(answer) }
        return PageJSON(
            items: items,
            total: members.count,
            hasMore: hasMore,
            next: hasMore ? DuplicatesCursor(token: answer.token, place: places.upperBound).text : nil
        )
    }

    /// Makes the fingerprint of a job's document, if it has none, and returns the job.
    fileprivate func makeFingerprint(_ call: Call) async throws -> JobJSON {
        guard let job = try await queries.job(call.job) else { throw ProblemJSON.noSuchJob(call.job) }
        if job.fingerprint != nil || job.detection?.picture?.isFlat == true { return show(job) }
        // Its length is of no interest, but whether it is there.
        _ = try await openDocument(of: job)
        guard job.detection?.outcome == .counted else {
            throw ProblemJSON(
                .notPossible,
                "no faces were counted in job \(job.id.rawValue): its fingerprint comes with its next look"
            )
        }
        let document = ShownDocument(
            job: job.id,
            path: job.path ?? "",
            sha256: job.sha256,
            mark: job.documentMark,
            user: call.user
        )
        switch await configuration.pictures.fingerprint(of: document) {
        case .made(let fingerprint):
            return show(try await control.steer(.fingerprint(fingerprint, of: job.sha256), job: job.id))
        case .unreadable:
            throw ProblemJSON(
                .unreadable,
                "the document of job \(job.id.rawValue) can't be read as a picture"
            )
        case .changed:
            throw ProblemJSON(
                .notPossible,
                "somebody has changed the document of job \(job.id.rawValue) since it was stored"
            )
        case .failed:
            throw ProblemJSON(.busy, "no fingerprint can be made now; ask again in some seconds")
        }
    }
}

extension [Int] {
    /// Returns the first place whose number meets a condition that all behind it meet, too.
    fileprivate func partitioningIndex(where isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
