/// Limits the memory for the bodies of large requests, in total and per user.
///
/// Bodies that don't fit wait in line. None is overtaken by a smaller one that would fit, except for
/// those that wait for other bodies of their own user, which hold up nobody else.
struct BodyRoom {
    /// A body in memory, or waiting for room.
    struct Claim: Hashable, Sendable {
        fileprivate(set) var id: Int
        fileprivate(set) var user: UInt32?
        fileprivate(set) var size: Int
    }

    private let total: Int
    private let perUser: Int
    private var nextID = 0
    private var used = 0
    private var usedBy: [UInt32?: Int] = [:]
    private var inside: [Int: Claim] = [:]
    private var line: [Claim] = []

    init(total: Int, perUser: Int) {
        self.total = total
        self.perUser = perUser
    }

    /// Room for one and a half bodies of so many bytes with the items that are made of them, one of them
    /// of a single user.
    init(largestBody: Int) {
        let largest = BatchBody.memory(ofBody: largestBody)
        self.init(total: largest + largest / 2, perUser: largest)
    }

    /// True if somebody waits.
    var isWaitedFor: Bool { !line.isEmpty }

    /// Returns whether a claim has its room; false while it waits, or after it has been given up.
    func holds(_ claim: Claim) -> Bool { inside[claim.id] != nil }

    /// Asks for room, which the claim gets at once or waits for in line.
    mutating func ask(_ size: Int, user: UInt32?) -> Claim {
        let claim = Claim(id: nextID, user: user, size: size)
        nextID += 1
        line.append(claim)
        _ = letIn()
        return claim
    }

    /// Gives up the part of a claim that isn't needed; returns the claims that now have room.
    mutating func shrink(_ claim: Claim, to size: Int) -> [Claim] {
        guard var held = inside[claim.id], size < held.size else { return [] }
        charge(size - held.size, to: held.user)
        held.size = size
        inside[claim.id] = held
        return letIn()
    }

    /// Gives up a claim, whether it has room or waits; returns the claims that now have room.
    mutating func leave(_ claim: Claim) -> [Claim] {
        if let held = inside.removeValue(forKey: claim.id) {
            charge(-held.size, to: held.user)
        } else {
            line.removeAll { $0.id == claim.id }
        }
        return letIn()
    }

    private mutating func letIn() -> [Claim] {
        var admitted: [Claim] = []
        var rest: [Claim] = []
        var isFull = false
        for claim in line {
            if !isFull, usedBy[claim.user, default: 0] + claim.size <= perUser {
                if used + claim.size <= total {
                    charge(claim.size, to: claim.user)
                    inside[claim.id] = claim
                    admitted.append(claim)
                    continue
                }
                isFull = true
            }
            rest.append(claim)
        }
        line = rest
        return admitted
    }

    private mutating func charge(_ size: Int, to user: UInt32?) {
        used += size
        let now = usedBy[user, default: 0] + size
        usedBy[user] = now > 0 ? now : nil
    }
}
