import Foundation
import Perennial

/// Lets subscriptions renew at the end of an exercise, and reads everything: the customers' transactions, then the journal, then
/// the notifications.
struct ExerciseEnding {
    /// Longer than a month, so that each subscription bought by now is due once in each of these advances. How far the clock came
    /// until now depends on the machine.
    private static let advance = "P32D"
    private static let advances = 2
    static let pauses = [50, 100, 200, 400, 800]
    /// Customers whose transactions are listed at once.
    private static let width = 8
    /// Entries of the journal's end that every node is asked for.
    private static let overlap: Int64 = 100

    let exercise: Exercise

    private var plan: ExercisePlan { exercise.plan }

    /// - Returns: What couldn't be read, in words; `nil` if nothing is missing.
    func read(_ customers: [String]) async throws -> String? {
        let client = plan.clients + plan.readers + 1
        if plan.clock == .manual { try await passRenewals(client) }
        guard try await ask(.clock, client) != nil else { return "the last reading of the clock" }
        guard try await list(customers) else { return "the last lists of transactions" }
        guard try await readJournal(client) else { return "the journal's end" }
        guard plan.receiverURL != nil else { return nil }
        await drain()
        return try await listNotifications(client) ? nil : "the list of notifications"
    }

    private func ask(_ request: RecordedOperation.Request, _ client: Int) async throws -> RecordedOperation.Answer? {
        try await exercise.ask(request, nil, client, at: client, pauses: Self.pauses)
    }

    /// Moves the clock past two renewals of each monthly subscription. A store that doesn't answer is asked no second time: an
    /// advance without an answer may go on.
    private func passRenewals(_ client: Int) async throws {
        for number in 0..<Self.advances where !exercise.control.isOver {
            guard case .time = try await exercise.once(.advance(by: Self.advance), nil, client, at: number) else {
                return
            }
        }
    }

    private func list(_ customers: [String]) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { tasks in
            for part in 0..<Self.width {
                let names = stride(from: part, to: customers.count, by: Self.width).map { customers[$0] }
                tasks.addTask {
                    var isWhole = true
                    for name in names where try await !list(name, part) { isWhole = false }
                    return isWhole
                }
            }
            return try await tasks.reduce(true) { $0 && $1 }
        }
    }

    /// Lists a customer's transactions, page by page: only renewals can come between the pages.
    private func list(_ name: String, _ client: Int) async throws -> Bool {
        let begun = exercise.recorder.begin()
        var found: [ListedTransaction] = []
        var (after, failures): (String?, Int) = (nil, 0)
        while true {
            let answer = await exercise.store.page(of: name, after: after, at: client + failures)
            guard case .page(let page) = answer else {
                try record(answer, to: .list(customer: name), client)
                guard !exercise.control.isOver else { return false }
                await exercise.time.pause(Self.pauses[min(failures, Self.pauses.count - 1)])
                failures += 1
                continue
            }
            found += page.transactions.map(ListedTransaction.init)
            guard let next = page.next else { break }
            after = next
        }
        try exercise.recorder.record(
            begun, client: client, node: nil, .list(customer: name), .listed(found))
        return true
    }

    /// Records an answer that the store may not give.
    private func record<Page>(
        _ answer: ExercisePage<Page>, to request: RecordedOperation.Request, _ client: Int
    ) throws {
        guard case .failed(let answer) = answer else { return }
        try exercise.recorder.record(exercise.recorder.begin(), client: client, node: nil, request, answer)
    }

    /// Reads the journal from its first position, page by page on changing nodes, and its end on every node.
    private func readJournal(_ client: Int) async throws -> Bool {
        guard let end = try await readJournal(from: 1, client, at: 0) else { return false }
        for node in 0..<exercise.nodeCount {
            let start = max(end - Self.overlap, 1)
            guard try await readJournal(from: start, client, at: node, isChanging: false) != nil else { return false }
        }
        return true
    }

    /// - Returns: The position after the last; `nil` without an answer.
    private func readJournal(
        from start: Int64, _ client: Int, at node: Int, isChanging: Bool = true
    ) async throws -> Int64? {
        var (position, pages) = (start, 0)
        while true {
            let request = RecordedOperation.Request.journal(position: position, limit: ExerciseStore.pageLength)
            let answer = try await exercise.ask(
                request, nil, client, at: isChanging ? node + pages : node, pauses: Self.pauses)
            guard case .entries(let entries) = answer else { return nil }
            position = (entries.last?.position ?? position - 1) + 1
            pages += 1
            if entries.count < ExerciseStore.pageLength { return position }
        }
    }

    // MARK: - Notifications

    private struct Page: Decodable {
        struct Item: Decodable {
            struct Attempt: Decodable { var result: String }
            var notificationUUID: String
            var signedDate: String
            var notificationType: String
            var subtype: String?
            var state: String
            var attempts: [Attempt]
            var transactionId: String?
            var originalTransactionId: String?
        }
        var notifications: [Item]
        var next: String?
    }

    private func page(_ query: String, at node: Int) async -> ExercisePage<Page> {
        let path = "control/v1/apps/\(ExerciseStore.encoded(plan.app))/notifications/history?\(query)"
        var message = exercise.store.request("GET", path)
        message.node = node % exercise.nodeCount
        return await exercise.store.page(message)
    }

    /// Waits until no notification waits for its first attempt.
    private func drain() async {
        var node = 0
        while !exercise.control.isOver {
            if case .page(let page) = await page("state=waiting&limit=1", at: node), page.notifications.isEmpty,
                page.next == nil
            {
                return
            }
            node += 1
            await exercise.time.pause(Self.pauses[3])
        }
    }

    private func listNotifications(_ client: Int) async throws -> Bool {
        let begun = exercise.recorder.begin()
        var found: [RecordedNotification] = []
        var (after, attempt): (String?, Int) = (nil, 0)
        while true {
            let query =
                "limit=\(ExerciseStore.pageLength)" + (after.map { "&after=\(ExerciseStore.encoded($0))" } ?? "")
            let answer = await page(query, at: attempt)
            guard case .page(let page) = answer else {
                try record(answer, to: .notifications, client)
                guard !exercise.control.isOver else { return false }
                attempt += 1
                await exercise.time.pause(Self.pauses[min(attempt, Self.pauses.count - 1)])
                continue
            }
            found += page.notifications.map { item in
                RecordedNotification(
                    uuid: item.notificationUUID, type: item.notificationType, subtype: item.subtype,
                    original: item.originalTransactionId, transaction: item.transactionId,
                    signed: Instant(rfc3339: item.signedDate)?.milliseconds ?? 0, state: item.state,
                    attempts: item.attempts.map(\.result))
            }
            guard let next = page.next else { break }
            after = next
        }
        try exercise.recorder.record(begun, client: client, node: nil, .notifications, .sent(found))
        return true
    }
}
