/// A group of accounts that share purchases: an organizer and up to five members. A purchaser shares with all of
/// them.
package struct Family: Hashable, Sendable, Codable {
    /// The most accounts in a family, the organizer included.
    package static let maximumCount = 6

    package let organizer: Account.ID
    package private(set) var members: [Account.ID]

    package init(organizer: Account.ID) {
        self.organizer = organizer
        self.members = []
    }

    package var everyone: [Account.ID] { [organizer] + members }

    /// Returns the accounts that a purchaser shares with; empty outside the family.
    package func others(than purchaser: Account.ID) -> [Account.ID] {
        everyone.contains(purchaser) ? everyone.filter { $0 != purchaser } : []
    }

    /// Adds a member.
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

    /// Removes a member. The organizer stays.
    /// - Throws: ``FamilyError``.
    package mutating func remove(_ member: Account.ID) throws {
        guard let index = members.firstIndex(of: member) else {
            throw FamilyError(.notMember, member, "the account is no member that could leave")
        }
        members.remove(at: index)
    }
}

/// The reason why a change of a family is refused.
package struct FamilyError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case full, alreadyMember, notMember
    }

    package let code: Code
    package let account: Account.ID
    /// A message for people: the problem and its cure.
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

extension Transaction {
    /// Returns a family member's transaction for a shared purchase, without money.
    ///
    /// - Parameter earlier: The member's earlier transaction for the same purchase.
    /// - Returns: `nil` if it isn't shared: only a purchased non-consumable in force is.
    package func shared(
        with member: Account.ID, earlier: Transaction? = nil, as id: TransactionID, at now: Instant
    ) -> Transaction? {
        guard type == .nonConsumable, ownership == .purchased, isInForce(at: now) else { return nil }
        let date = now.wholeSeconds
        return Transaction(
            id: id, originalID: earlier?.originalID ?? id, accountID: member, productID: productID, type: type,
            purchaseDate: date, originalPurchaseDate: earlier?.originalPurchaseDate ?? date,
            price: .zero(price.currency), storefront: storefront, ownership: .familyShared)
    }

    /// Returns a member's transaction after the purchaser stopped sharing or got a refund.
    package func accessRevoked(at now: Instant) -> Transaction {
        var copy = self
        copy.revocation = Revocation(date: now.wholeSeconds, reason: .other, kind: .familyRevoke)
        return copy
    }
}
