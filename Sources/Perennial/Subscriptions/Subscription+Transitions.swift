extension Subscription {
    /// The names of the states; `none` before the first purchase.
    package enum StateName: String, Sendable, CaseIterable, Comparable {
        case none, active, gracePeriod, billingRetry, expired, revoked

        package static func < (one: StateName, other: StateName) -> Bool {
            allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
        }
    }

    package struct Transition: Hashable, Sendable, CustomStringConvertible {
        package let from: StateName
        package let event: SubscriptionEvent.Name
        package let to: StateName

        package init(_ from: StateName, _ event: SubscriptionEvent.Name, _ to: StateName) {
            self.from = from
            self.event = event
            self.to = to
        }

        package var description: String { "\(from.rawValue) --\(event.rawValue)--> \(to.rawValue)" }
    }

    package var stateName: StateName {
        switch state {
        case .active: .active
        case .gracePeriod: .gracePeriod
        case .billingRetry: .billingRetry
        case .expired: .expired
        case .revoked: .revoked
        }
    }

    /// All possible transitions. Random walks in the tests find exactly these.
    package static let transitions: Set<Transition> = Set(
        [
            (StateName.none, [(.purchase, [.active])]),
            (
                .active,
                [
                    (.purchase, [.active]), (.change, [.active]), (.autoRenewOn, [.active]), (.autoRenewOff, [.active]),
                    (.charged, [.active]), (.chargeDeclined, [.active, .gracePeriod, .billingRetry, .expired]),
                    (.productUnavailable, [.active, .expired]), (.periodEnded, [.expired]), (.priceChanged, [.active]),
                    (.priceAnswered, [.active]), (.refundRequested, [.active]), (.refundDeclined, [.active]),
                    (.refunded, [.active, .revoked]), (.refundReversed, [.active]), (.accessRevoked, [.revoked]),
                    (.extended, [.active]), (.expireNow, [.expired]),
                ]
            ),
            (
                .gracePeriod,
                [
                    (.purchase, [.active, .gracePeriod, .billingRetry]),
                    (.change, [.active, .gracePeriod, .billingRetry]), (.autoRenewOn, [.gracePeriod]),
                    (.autoRenewOff, [.expired]), (.charged, [.active]),
                    (.chargeDeclined, [.gracePeriod, .billingRetry, .expired]), (.productUnavailable, [.expired]),
                    (.graceEnded, [.billingRetry]), (.paymentMethodUpdated, [.gracePeriod]),
                    (.refundRequested, [.gracePeriod]), (.refundDeclined, [.gracePeriod]),
                    (.refunded, [.gracePeriod, .revoked]), (.refundReversed, [.gracePeriod]),
                    (.accessRevoked, [.revoked]),
                    (.expireNow, [.expired]),
                ]
            ),
            (
                .billingRetry,
                [
                    (.purchase, [.active, .billingRetry]), (.change, [.active, .billingRetry]),
                    (.autoRenewOn, [.billingRetry]), (.autoRenewOff, [.expired]), (.charged, [.active]),
                    (.chargeDeclined, [.billingRetry, .expired]), (.productUnavailable, [.expired]),
                    (.retryEnded, [.expired]), (.paymentMethodUpdated, [.billingRetry]),
                    (.refundRequested, [.billingRetry]), (.refundDeclined, [.billingRetry]),
                    (.refunded, [.billingRetry, .revoked]), (.refundReversed, [.billingRetry]),
                    (.accessRevoked, [.revoked]), (.expireNow, [.expired]),
                ]
            ),
            (
                .expired,
                [
                    (.purchase, [.active]), (.refundRequested, [.expired]), (.refundDeclined, [.expired]),
                    (.refunded, [.expired, .revoked]), (.refundReversed, [.active, .expired]),
                ]
            ),
            (
                .revoked,
                [
                    (.purchase, [.active]), (.refundRequested, [.revoked]), (.refundDeclined, [.revoked]),
                    (.refunded, [.revoked]), (.refundReversed, [.active, .expired, .revoked]),
                ]
            ),
        ].flatMap { (from: StateName, events: [(SubscriptionEvent.Name, [StateName])]) in
            events.flatMap { event, ends in ends.map { Transition(from, event, $0) } }
        })

    /// The state diagram in Mermaid's language: one arrow for each pair of states, labelled with its events.
    package static var mermaid: String {
        func name(_ state: StateName) -> String { state == .none ? "[*]" : state.rawValue }
        var lines = ["stateDiagram-v2"]
        for from in StateName.allCases {
            for to in StateName.allCases {
                let events = transitions.filter { $0.from == from && $0.to == to }.map(\.event).sorted()
                guard !events.isEmpty else { continue }
                lines.append("    \(name(from)) --> \(name(to)): \(events.map(\.rawValue).joined(separator: "<br/>"))")
            }
        }
        return lines.joined(separator: "\n")
    }
}
