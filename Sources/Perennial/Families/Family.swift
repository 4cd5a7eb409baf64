/// People who share purchases: an organizer and up to five others. Whoever buys shares with all of them.
package struct Family: Hashable, Sendable, Codable {
    /// The purchaser and five more.
    package static let maximumCount = 6

    package let organizer: Account.ID
    package private(set) var members: [Account.ID]

    package init(organizer: Account.ID) {
        self.organizer = organizer
        self.members = []
    }

    package var everyone: [Account.ID] { [organizer] + members }

    /// With whom a purchaser shares; empty for whoever isn't in the family.
    package func others(than purchaser: Account.ID) -> [Account.ID] {
        everyone.contains(purchaser) ? everyone.filter { $0 != purchaser } : []
    }

    /// - Throws: ``FamilyError``.
    package mutating func add(_ member: Account.ID) throws {
        guard !everyone.contains(member) else {
            throw FamilyError(.alreadyMember, member, "the account belongs to the family")
        }
        guard everyone.count < Self.maximumCount else {
            throw FamilyError(.full, member, "a family has \(Self.maximumCount) people at most")
        }
        members.append(member)
    }

    /// The organizer stays: without one there is no family.
    /// - Throws: ``FamilyError``.
    package mutating func remove(_ member: Account.ID) throws {
        guard let index = members.firstIndex(of: member) else {
            throw FamilyError(.notMember, member, "the account is no member that could leave")
        }
        members.remove(at: index)
    }
}

/// Why a family can't be changed.
package struct FamilyError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case full, alreadyMember, notMember
    }

    package let code: Code
    package let account: Account.ID
    /// For a person: what was wrong, and what would be right.
    package let reason: String

    package init(_ code: Code, _ account: Account.ID, _ reason: String) {
        self.code = code
        self.account = account
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): account \(account.rawValue): \(reason)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
