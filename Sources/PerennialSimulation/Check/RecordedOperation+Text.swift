import Perennial

/// The operation as a line of a counterexample.
extension RecordedOperation: CustomStringConvertible {
    package var description: String {
        let place = node.map { "client \(client) at node \($0)" } ?? "client \(client)"
        return "#\(number)  \(Self.seconds(begin)) to \(Self.seconds(end))  \(place): \(request): \(answer)"
    }

    /// Seconds with microseconds.
    static func seconds(_ microseconds: Int64) -> String {
        let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
        return "\(microseconds / 1_000_000).\(fraction)"
    }
}

extension RecordedOperation.Request: CustomStringConvertible {
    package var description: String {
        switch self {
        case .customer(let name): "make the customer \(name)"
        case .buy(let customer, let product, let key): "\(customer) buys \(product) with key \(key)"
        case .card(let customer, let isAccepted): "the card of \(customer) is \(isAccepted ? "accepted" : "declined")"
        case .refund(let customer, let transaction): "refund \(transaction) of \(customer)"
        case .finish(let customer, let transaction): "\(customer) finishes \(transaction)"
        case .list(let customer): "list the transactions of \(customer)"
        case .clock: "read the clock"
        case .setPrice(let product, let price): "set the price of \(product) to \(price)"
        case .advance(let by): "advance the clock by \(by)"
        case .journal(let position, let limit): "read \(limit) journal entries from \(position)"
        case .notified(let notification, let status): "\(notification) arrives, answered with \(status)"
        case .notifications: "list the notifications"
        }
    }
}

extension RecordedOperation.Answer: CustomStringConvertible {
    package var description: String {
        switch self {
        case .sold(let transaction, _): "sold as \(transaction)"
        case .refused(let code): "refused, \(code)"
        case .done: "done"
        case .listed(let transactions):
            transactions.isEmpty ? "none" : transactions.map(\.description).joined(separator: ", ")
        case .time(let now): now.rfc3339(fraction: true)
        case .entries(let entries): entries.isEmpty ? "none" : "\(entries.count), until \(entries.last?.position ?? 0)"
        case .sent(let notifications): "\(notifications.count)"
        case .unknown(let reason): "no answer (\(reason))"
        case .failed(let reason): "failed (\(reason))"
        }
    }
}

extension ListedTransaction: CustomStringConvertible {
    package var description: String {
        let marks = [revoked.map { _ in "refunded" }, isFinished ? "finished" : nil].compactMap { $0 }
        return marks.isEmpty ? id : "\(id) (\(marks.joined(separator: ", ")))"
    }
}

extension RecordedNotification: CustomStringConvertible {
    package var description: String {
        let kind = subtype.map { "\(type) \($0)" } ?? type
        return "\(kind) \(uuid)" + (transaction.map { " of \($0)" } ?? "")
    }
}
