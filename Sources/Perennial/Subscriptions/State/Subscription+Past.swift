extension Subscription {
    /// What a subscription must remember of what was done with it before.
    package struct Past: Hashable, Sendable {
        var offersUsed: [OfferUse] = []
        var extensions: [GrantedExtension] = []
        var lastPriceIncrease: Instant?

        package init() {}
    }

    /// Every offer redeemed in this group: each once, with its last use.
    package internal(set) var offersUsed: [OfferUse] {
        get { past?.offersUsed ?? [] }
        set { remember { $0.offersUsed = newValue } }
    }

    package internal(set) var extensions: [GrantedExtension] {
        get { past?.extensions ?? [] }
        set { remember { $0.extensions = newValue } }
    }

    package internal(set) var lastPriceIncrease: Instant? {
        get { past?.lastPriceIncrease }
        set { remember { $0.lastPriceIncrease = newValue } }
    }

    private mutating func remember(_ change: (inout Past) -> Void) {
        var changed = past ?? Past()
        change(&changed)
        past = changed == Past() ? nil : changed
    }
}
