import Perennial

/// An action of a customer, the seller or an operator, or the passing of time.
///
/// An action names its object by a number, which is reduced modulo the objects there are at that time. So any subset of a plan is
/// a plan, and a history can be shortened.
package enum SimulatedAction: Hashable, Sendable {
    /// Number of a customer, from 0.
    package typealias Person = Int
    /// Number of an object, reduced modulo the number of objects.
    package typealias Pick = Int

    case buy(Person, Product.ID, quantity: Int = 1, offer: String? = nil, key: Int)
    /// Repeats an earlier request under its idempotency key.
    case repeatRequest(Person, Pick)
    /// Ask to Buy, with an idempotency key or without one.
    case ask(Person, Product.ID, key: Int?)
    case answer(Pick, approved: Bool)
    case finish(Person, Pick)
    case restore(Person)
    case refund(Person, Pick, Refund.Share)
    case reverseRefund(Person, Pick)

    case setAutoRenew(Person, Pick, Bool)
    case change(Person, Pick, Product.ID)
    case pay(Person, Account.PaymentMethod)
    /// Changes the payment method of a subscription, which retries a failed renewal at once.
    case payFor(Person, Pick, Account.PaymentMethod)
    case expire(Person, Pick)
    case renew(Person, Pick)

    case move(Person, Storefront)
    case restrict(Person, Bool)
    case signIn(Person, device: Int)
    case uninstall(Person, device: Int)

    case foundFamily(Person)
    case joinFamily(Person, Pick)
    /// Leaves the family, or dissolves it for its organizer.
    case leaveFamily(Person)

    case edit(CatalogEdit)
    case finance(FinanceStep)
    /// Answers an increase of a subscription's price.
    case consent(Person, Pick, Bool)
    /// Passes milliseconds. A real clock's due work is processed at once, or later, as after a downtime.
    case advance(Int64, works: Bool)
    /// Passes time up to the next instant at which a subscription is due or a period ends, plus an offset in milliseconds. Does
    /// nothing if that is more than `within` away.
    case advanceTo(Moment, Pick, offset: Int64, within: Int64)
    case workOff
    case restart

    package enum Moment: String, Hashable, Sendable, CaseIterable {
        case due
        /// End of a paid period.
        case end
    }

    /// Customer of the action; `nil` for those of the seller and operators, and for time.
    package var person: Person? {
        switch self {
        case .buy(let person, _, _, _, _), .repeatRequest(let person, _), .ask(let person, _, _),
            .finish(let person, _), .restore(let person), .refund(let person, _, _), .reverseRefund(let person, _),
            .setAutoRenew(let person, _, _), .change(let person, _, _), .pay(let person, _), .payFor(let person, _, _),
            .expire(let person, _), .renew(let person, _), .move(let person, _), .restrict(let person, _),
            .signIn(let person, _), .uninstall(let person, _), .foundFamily(let person), .joinFamily(let person, _),
            .leaveFamily(let person), .consent(let person, _, _):
            person
        case .answer, .edit, .finance, .advance, .advanceTo, .workOff, .restart: nil
        }
    }
}

extension SimulatedAction: CustomStringConvertible {
    package var description: String {
        switch self {
        case .buy(let person, let product, let quantity, let offer, let key):
            "customer \(person) buys \(quantity == 1 ? "" : "\(quantity) × ")\(product)"
                + "\(offer.map { " with the offer \($0)" } ?? ""), key \(key)"
        case .repeatRequest(let person, let pick): "customer \(person) sends an earlier request again, pick \(pick)"
        case .ask(let person, let product, let key):
            "customer \(person) asks to buy \(product)\(key.map { ", key \($0)" } ?? "")"
        case .answer(let pick, let approved): "a parent \(approved ? "approves" : "declines"), pick \(pick)"
        case .finish(let person, let pick): "customer \(person) finishes a transaction, pick \(pick)"
        case .restore(let person): "customer \(person) restores"
        case .refund(let person, let pick, let share): "customer \(person) is refunded (\(share)), pick \(pick)"
        case .reverseRefund(let person, let pick): "a refund of customer \(person) is undone, pick \(pick)"
        case .setAutoRenew(let person, let pick, let isOn):
            "customer \(person) turns auto-renew \(isOn ? "on" : "off"), pick \(pick)"
        case .change(let person, let pick, let product): "customer \(person) changes to \(product), pick \(pick)"
        case .pay(let person, let method): "customer \(person)'s card is \(method)"
        case .payFor(let person, let pick, let method):
            "customer \(person)'s card for a subscription is \(method), pick \(pick)"
        case .expire(let person, let pick): "an operator ends a subscription of customer \(person), pick \(pick)"
        case .renew(let person, let pick): "an operator renews a subscription of customer \(person), pick \(pick)"
        case .move(let person, let storefront): "customer \(person) moves to \(storefront.rawValue)"
        case .restrict(let person, let may): "customer \(person) \(may ? "may" : "may not") make payments"
        case .signIn(let person, let device): "customer \(person) signs in on device \(device)"
        case .uninstall(let person, let device): "customer \(person) removes the app from device \(device)"
        case .foundFamily(let person): "customer \(person) founds a family"
        case .joinFamily(let person, let pick): "customer \(person) joins a family, pick \(pick)"
        case .leaveFamily(let person): "customer \(person) leaves the family"
        case .edit(let edit): edit.description
        case .finance(let step): step.description
        case .consent(let person, let pick, let accepted):
            "customer \(person) \(accepted ? "accepts" : "declines") a new price, pick \(pick)"
        case .advance(let milliseconds, let works):
            "\(milliseconds) ms pass\(works ? "" : ", and due work waits")"
        case .advanceTo(let moment, let pick, let offset, let within):
            "time passes to the next \(moment) \(offset < 0 ? "" : "+")\(offset) ms, pick \(pick), at most \(within) ms"
        case .workOff: "a worker looks for what is due"
        case .restart: "the process starts again"
        }
    }
}
