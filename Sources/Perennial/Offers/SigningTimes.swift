/// The instants by which the age of a seller's signature is judged: the environment's and the world's.
///
/// A seller's server signs by the world's clock, wherever an environment's stands, and knows no other; a test may sign by the
/// environment's. What is fresh by either is fresh.
package struct SigningTimes: Hashable, Sendable {
    package let environment: Instant
    package let world: Instant

    package init(environment: Instant, world: Instant) {
        self.environment = environment
        self.world = world
    }

    /// Of an environment that runs on the world's clock.
    package init(_ now: Instant) {
        self.init(environment: now, world: now)
    }

    /// - Parameters:
    ///   - notBefore: A further bound that the seller set; it has the same allowance for a clock that is ahead.
    ///   - expires: A further bound that the seller set.
    func isFresh(_ signed: Instant, notBefore: Instant? = nil, expires: Instant? = nil) -> Bool {
        [environment, world].contains { now in
            now - signed < PromotionalOfferSignature.lifetime
                && max(signed, notBefore ?? signed) - now <= PromotionalOfferSignature.maximumClockSkew
                && expires.map { now < $0 } ?? true
        }
    }

    /// What was signed before this instant is good by neither clock, nor ever will be again.
    package var endOfLife: Instant {
        min(environment, world) + -PromotionalOfferSignature.lifetime
    }
}
