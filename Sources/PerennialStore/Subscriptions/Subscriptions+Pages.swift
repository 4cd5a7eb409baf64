import Logging
import Perennial

/// Work on all subscriptions of an app, page by page.
extension Subscriptions {
    /// Processes pages until none is left. If a page fails because of the data of its rows, processes its subscriptions one
    /// by one and skips those that fail.
    ///
    /// - Parameters:
    ///   - size: The number of subscriptions on a page.
    ///   - page: Processes the next `limit` subscriptions in one transaction. Returns true if more is left.
    ///   - skipping: Skips the next subscription, which has failed alone. Returns true if more is left.
    /// - Throws: Errors that concern more than rows, such as a database that doesn't answer; `CancellationError`.
    func processPages(
        of size: Int, _ page: (_ limit: Int) async throws -> Bool,
        skipping: (_ error: any Error) async throws -> Bool
    ) async throws {
        var singles = 0
        var isLeft = true
        while isLeft {
            try Task.checkCancellation()
            let isSingle = singles > 0
            if isSingle { singles -= 1 }
            do {
                isLeft = try await page(isSingle ? 1 : size)
            } catch  where error.isCausedByRowData && !isSingle {
                singles = size
            } catch  where error.isCausedByRowData {
                isLeft = try await skipping(error)
            }
        }
    }

    /// Runs an operation. If it fails because of its own data, logs that and leaves it to the next round, so that other
    /// work continues.
    func retryingLater(_ work: String, _ name: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch  where error.isCausedByRowData {
            logger.error(
                "\(work) failed and will be tried again",
                metadata: ["environment": "\(environment.name)", "name": "\(name)", "error": "\(error)"])
        }
    }

    func logSkipped(_ id: TransactionID, app: Int64, _ reason: String) {
        logger.error(
            "a subscription is left out: it can't be worked on",
            metadata: [
                "environment": "\(environment.name)", "app": "\(app)", "subscription": "\(id)", "error": "\(reason)",
            ])
    }
}
