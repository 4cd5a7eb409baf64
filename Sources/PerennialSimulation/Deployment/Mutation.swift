import PerennialStorage
import PerennialStore

/// A defect introduced on purpose, to prove that the simulator detects it.
///
/// Most are triggers in the simulation's own database or changed SQL statements, so that the simulated code itself stays as it
/// is. Other databases never have one.
package enum Mutation: String, Sendable, CaseIterable {
    /// Loses the result of a renewal but not its charge, so that the period is charged again under another ID.
    case forgottenRenewal
    /// Loses a posting of the ledger.
    case droppedPosting
    /// Leaves a product in force after an upgrade replaced it.
    case forgottenUpgrade
    /// Loses an acknowledged purchase.
    case lostPurchase
    /// Loses the idempotency key of a request, so that a retry buys again.
    case forgottenKey
    /// Returns the money of a refund without ending access.
    case keptAfterRefund
    /// Refunds a non-consumable without the free repeats of its purchase.
    case keptRepeat
    /// Lets receipts list a refunded subscription period without its cancellation date.
    case openRefundedPeriod
    /// Refunds another commission than the sale had.
    case otherCommission
    /// Omits to schedule the next renewal.
    case forgottenDue
    /// Renews a subscription whose auto-renew was turned off.
    case ignoredAutoRenewOff
    /// Leaves shared access with a customer who left the family.
    case keptAfterLeaving
    /// Loses the link between a purchase and a family member's share of it, so that the share outlives the purchase.
    case forgottenShare
    /// Gives an introductory offer to a customer who already had one through the family.
    case forgottenFamilyTrial
    /// Keeps an approved Ask to Buy request open, so that a second approval sells again.
    case reopenedApproval
    /// Reads transactions in the order of their IDs, though each node takes IDs from blocks of its own.
    case orderedByID
    /// Gives the same block of IDs to both nodes.
    case sharedIDBlock
    /// Refuses a transaction that needs more IDs than one block has.
    case singleIDBlock
    /// Drops the renewals behind a full batch.
    case droppedAfterBatch
    /// Skips renewals that are due at the very instant an advance ends.
    case droppedAtTarget
    /// Stops all renewals at an unreadable row.
    case unreadableRowStops
    /// Omits to end the lease of an advance, so that the next advance waits for ever.
    case endlessClockLease
    /// Moves the clock ahead of the work of an advance, where a node that dies leaves it.
    case clockAheadOfWork
    /// Leaves journal entries out of the roll-ups.
    case skippedInRollUp
    /// Adds a batch of journal entries to the roll-ups twice.
    case repeatedInRollUp
    /// Closes a month with a part of what it earned as a late entry, which changes no sum.
    case wrongClosing
    /// Omits to look at the catalog again, so that a node sells at old prices what is no longer on sale.
    case staleCatalog
    /// Loses an acknowledged edit of the catalog.
    case lostEdit
    /// Leaves edits out of the catalog's journal.
    case unrecordedEdit

    /// Returns the statement that takes the place of another, or `nil` where the statement stays.
    package func replacement(of statement: String) -> String? {
        switch self {
        case .orderedByID where statement.contains("FROM transactions"):
            statement.replacing("ORDER BY journal_position, id", with: "ORDER BY id")
        case .openRefundedPeriod where statement.hasSuffix("AND account = $3 ORDER BY journal_position, id"):
            statement.replacing("revoked, ", with: "CASE WHEN subscription_group IS NULL THEN revoked END, ")
        case .forgottenFamilyTrial where statement.hasPrefix("SELECT document FROM subscriptions"):
            statement.replacing(
                "AND account = $3 ORDER",
                with: "AND account = $3 AND original_id NOT IN (SELECT copy FROM shared_purchases) ORDER")
        case .staleCatalog where statement == "SELECT revision FROM catalog_head WHERE id = 1":
            "SELECT MIN(revision, 1) FROM catalog_head WHERE id = 1"
        case .droppedAfterBatch where statement.contains("FROM subscriptions"):
            statement.replacing("original_id LIMIT $5", with: "original_id LIMIT $5 - 1")
        case .droppedAtTarget where statement.contains("FROM subscriptions"):
            statement.replacing("due <= $2", with: "due < $2")
        default: nil
        }
    }

    /// Returns the limits of a store with this defect.
    func limits(_ limits: WorkLimits) -> WorkLimits {
        guard self == .singleIDBlock else { return limits }
        var limits = limits
        limits.maximumRefills = 1
        return limits
    }

    /// The trigger that introduces the defect; `nil` where a changed statement or limit does.
    package var trigger: SQL? {
        switch self {
        case .orderedByID, .openRefundedPeriod, .forgottenFamilyTrial, .singleIDBlock, .droppedAfterBatch,
            .droppedAtTarget, .staleCatalog:
            nil
        case .sharedIDBlock:
            """
            CREATE TRIGGER mutation AFTER UPDATE OF next_id ON environments
            BEGIN UPDATE environments SET next_id = OLD.next_id WHERE id = NEW.id; END
            """
        case .forgottenRenewal:
            """
            CREATE TRIGGER mutation BEFORE UPDATE ON subscriptions
            WHEN NEW.due > OLD.due BEGIN SELECT RAISE(IGNORE); END
            """
        case .droppedPosting:
            """
            CREATE TRIGGER mutation AFTER INSERT ON postings WHEN NEW.line = 2 AND NEW.position % 7 = 0
            BEGIN DELETE FROM postings WHERE app = NEW.app AND position = NEW.position AND line = 2; END
            """
        case .forgottenUpgrade:
            """
            CREATE TRIGGER mutation AFTER UPDATE OF is_upgraded ON transactions WHEN NEW.is_upgraded = 1
            BEGIN UPDATE transactions SET is_upgraded = 0 WHERE id = NEW.id; END
            """
        case .lostPurchase:
            // A sale writes the customer's revision last.
            """
            CREATE TRIGGER mutation AFTER UPDATE OF revision ON customers
            WHEN EXISTS (SELECT 1 FROM transactions t
            JOIN purchase_requests r ON r.account = t.account AND r.transaction_id = t.id
            JOIN journal_heads h ON h.app = t.app AND h.position = t.journal_position
            WHERE t.app = NEW.app AND t.account = NEW.account AND t.modified = NEW.revision AND t.id % 5 = 0) BEGIN
            DELETE FROM postings
            WHERE app = NEW.app AND position = (SELECT position FROM journal_heads WHERE app = NEW.app);
            DELETE FROM journal
            WHERE app = NEW.app AND position = (SELECT position FROM journal_heads WHERE app = NEW.app);
            DELETE FROM transactions
            WHERE journal_position = (SELECT position FROM journal_heads WHERE app = NEW.app);
            UPDATE journal_heads
            SET position = COALESCE((SELECT MAX(position) FROM journal WHERE app = NEW.app), 0) WHERE app = NEW.app;
            END
            """
        case .forgottenKey:
            """
            CREATE TRIGGER mutation AFTER INSERT ON purchase_requests
            BEGIN DELETE FROM purchase_requests WHERE key_digest = NEW.key_digest; END
            """
        case .keptAfterRefund:
            """
            CREATE TRIGGER mutation AFTER UPDATE OF revoked ON transactions WHEN NEW.revoked IS NOT NULL
            BEGIN UPDATE transactions SET revoked = NULL WHERE id = NEW.id; END
            """
        case .keptRepeat:
            """
            CREATE TRIGGER mutation AFTER UPDATE OF revoked ON transactions
            WHEN NEW.revoked IS NOT NULL AND NEW.id <> NEW.original_id AND NEW.subscription_group IS NULL
            BEGIN UPDATE transactions SET revoked = NULL WHERE id = NEW.id; END
            """
        case .otherCommission:
            // The seller's posting comes before the commission's.
            """
            CREATE TRIGGER mutation AFTER INSERT ON postings WHEN NEW.account = 'commission' AND NEW.amount < -100
            BEGIN
            UPDATE postings SET amount = amount + 100 WHERE app = NEW.app AND position = NEW.position AND line = NEW.line;
            UPDATE postings SET amount = amount - 100
            WHERE app = NEW.app AND position = NEW.position AND account = 'proceeds';
            END
            """
        case .forgottenDue:
            """
            CREATE TRIGGER mutation AFTER UPDATE OF due ON subscriptions WHEN NEW.due > OLD.due
            BEGIN UPDATE subscriptions SET due = NULL WHERE original_id = NEW.original_id; END
            """
        case .keptAfterLeaving:
            """
            CREATE TRIGGER mutation AFTER UPDATE OF revoked ON transactions
            WHEN NEW.revoked IS NOT NULL AND NEW.ownership = 'FAMILY_SHARED'
            BEGIN UPDATE transactions SET revoked = NULL WHERE id = NEW.id; END
            """
        case .forgottenShare:
            """
            CREATE TRIGGER mutation AFTER INSERT ON shared_purchases
            BEGIN DELETE FROM shared_purchases WHERE source = NEW.source AND account = NEW.account; END
            """
        case .ignoredAutoRenewOff:
            // A document begins with its format version, auto-renew and state.
            """
            CREATE TRIGGER mutation AFTER UPDATE OF document ON subscriptions WHEN NEW.document LIKE '3;~a%'
            BEGIN UPDATE subscriptions SET document = '3;+a' || substr(NEW.document, 5)
            WHERE original_id = NEW.original_id; END
            """
        case .reopenedApproval:
            """
            CREATE TRIGGER mutation AFTER UPDATE OF waits_until ON pending_purchases
            WHEN NEW.waits_until IS NULL AND OLD.waits_until IS NOT NULL
            BEGIN UPDATE pending_purchases SET state = OLD.state, waits_until = OLD.waits_until
            WHERE app = NEW.app AND id = NEW.id; END
            """
        case .unreadableRowStops:
            """
            CREATE TRIGGER mutation BEFORE UPDATE OF quarantined ON subscriptions WHEN NEW.quarantined IS NOT NULL
            BEGIN SELECT RAISE(ABORT, 'no quarantine'); END
            """
        case .endlessClockLease:
            """
            CREATE TRIGGER mutation AFTER UPDATE OF node ON leases WHEN NEW.work = 'clock' AND NEW.node = 0
            BEGIN UPDATE leases SET node = 999999999
            WHERE work = NEW.work AND environment = NEW.environment AND app = NEW.app; END
            """
        case .clockAheadOfWork:
            """
            CREATE TRIGGER mutation AFTER UPDATE OF node ON leases WHEN NEW.work = 'clock' AND NEW.node <> 0
            BEGIN UPDATE environments SET clock_now = clock_now + 3600000 WHERE id = NEW.environment; END
            """
        case .skippedInRollUp:
            """
            CREATE TRIGGER mutation AFTER UPDATE OF position ON roll_up_heads WHEN NEW.position % 3 = 0
            BEGIN UPDATE roll_up_heads SET position = NEW.position + 1
            WHERE environment = NEW.environment AND app = NEW.app AND generation = NEW.generation; END
            """
        case .repeatedInRollUp:
            // The first batch is processed again; the changed time marks it.
            """
            CREATE TRIGGER mutation AFTER UPDATE OF position ON roll_up_heads WHEN OLD.position = 0 AND NEW.changed > 0
            BEGIN UPDATE roll_up_heads SET position = 0, changed = 0
            WHERE environment = NEW.environment AND app = NEW.app AND generation = NEW.generation; END
            """
        case .wrongClosing:
            """
            CREATE TRIGGER mutation AFTER INSERT ON closing_lines WHEN NEW.earned > 0
            BEGIN UPDATE closing_lines SET earned = NEW.earned - 10, late = NEW.late + 10
            WHERE environment = NEW.environment AND month = NEW.month AND region = NEW.region
            AND currency = NEW.currency; END
            """
        case .lostEdit:
            """
            CREATE TRIGGER mutation AFTER UPDATE OF definition ON products WHEN NEW.revision % 4 = 0
            BEGIN UPDATE products SET definition = OLD.definition WHERE id = NEW.id; END
            """
        case .unrecordedEdit:
            """
            CREATE TRIGGER mutation AFTER INSERT ON catalog_changes WHEN NEW.position % 20 = 0
            BEGIN DELETE FROM catalog_changes WHERE position = NEW.position; END
            """
        }
    }
}
