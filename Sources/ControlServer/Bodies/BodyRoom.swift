/// How much of memory the bodies of large posts may have: together, and those of one user.
///
/// Whoever doesn't fit waits in line. Nobody is overtaken by a smaller one for whom there is room,
/// but for those who wait for other bodies of their own user: they hold up nobody else.
struct BodyRoom {
    /// A body in memory, or about to be.
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

    /// Room for so many bytes; the largest body has to fit.
    init(total: Int, perUser: Int) {
        self.total = total
        self.perUser = perUser
    }

    /// Whether somebody waits.
    var isWaitedFor: Bool { !line.isEmpty }

    /// Whether there is room for a claim; false while it waits in line, or when it has been left.
    func holds(_ claim: Claim) -> Bool { inside[claim.id] != nil }

    /// Asks for room: it is there at once, or the claim is in line.
    mutating func ask(_ size: Int, user: UInt32?) -> Claim {
        let claim = Claim(id: nextID, user: user, size: size)
        nextID += 1
        line.append(claim)
        _ = letIn()
        return claim
    }

    /// Gives up what a claim doesn't need after all; answers those for whom there is room now.
    mutating func shrink(_ claim: Claim, to size: Int) -> [Claim] {
        guard var held = inside[claim.id], size < held.size else { return [] }
        take(size - held.size, of: held.user)
        held.size = size
        inside[claim.id] = held
        return letIn()
    }

    /// Gives up a claim, held or waiting; answers those for whom there is room now.
    mutating func leave(_ claim: Claim) -> [Claim] {
        if let held = inside.removeValue(forKey: claim.id) {
            take(-held.size, of: held.user)
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
                    take(claim.size, of: claim.user)
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

    private mutating func take(_ size: Int, of user: UInt32?) {
        used += size
        let now = usedBy[user, default: 0] + size
        usedBy[user] = now > 0 ? now : nil
    }
}
