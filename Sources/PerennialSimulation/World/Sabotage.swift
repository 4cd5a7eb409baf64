import PerennialStorage

/// A rule broken on purpose, to see that the simulator notices: a trigger in the simulation's own database, or another
/// statement in the place of one, behind the back of the code that is simulated. No other database ever has one.
package enum Sabotage: String, Sendable, CaseIterable {
    /// What a renewal did is forgotten, but not its charge: the period is charged again under another number.
    case forgottenRenewal
    /// A line of the ledger is lost.
    case droppedPosting
    /// What an upgrade replaces stays in force.
    case forgottenUpgrade
    /// A purchase that was acknowledged is gone.
    case lostPurchase
    /// The key of a request isn't kept: a retry buys again.
    case forgottenKey
    /// Money is given back, and access stays.
    case keptAfterRefund
    /// Money is given back, and what repeats the purchase stays.
    case keptRepeat
    /// A refund takes another commission back than the sale had.
    case otherCommission
    /// Nobody is told that a renewal is due.
    case forgottenDue
    /// Who turned auto-renew off is told so, and renewed.
    case forgottenWish
    /// Who leaves a family keeps what was shared.
    case keptAfterLeaving
    /// Nobody knows what a family member's copy is a copy of: it goes on whatever becomes of the purchase.
    case forgottenShare
    /// Transactions are read in the order of their IDs, though each node takes these from a block of its own.
    case orderedByID
    /// Both nodes take the same block of IDs.
    case sharedIDBlock

    /// What the statement is replaced by; `nil` where it stays.
    func replacement(of statement: String) -> String? {
        guard self == .orderedByID, statement.contains("FROM transactions") else { return nil }
        return statement.replacing("ORDER BY journal_position, id", with: "ORDER BY id")
    }

    var trigger: SQL? {
        switch self {
        case .orderedByID: nil
        case .sharedIDBlock:
            """
            CREATE TRIGGER sabotage AFTER UPDATE OF next_id ON environments
            BEGIN UPDATE environments SET next_id = OLD.next_id WHERE id = NEW.id; END
            """
        case .forgottenRenewal:
            """
            CREATE TRIGGER sabotage BEFORE UPDATE ON subscriptions
            WHEN NEW.due > OLD.due BEGIN SELECT RAISE(IGNORE); END
            """
        case .droppedPosting:
            """
            CREATE TRIGGER sabotage AFTER INSERT ON postings WHEN NEW.line = 2 AND NEW.position % 7 = 0
            BEGIN DELETE FROM postings WHERE app = NEW.app AND position = NEW.position AND line = 2; END
            """
        case .forgottenUpgrade:
            """
            CREATE TRIGGER sabotage AFTER UPDATE OF is_upgraded ON transactions WHEN NEW.is_upgraded = 1
            BEGIN UPDATE transactions SET is_upgraded = 0 WHERE id = NEW.id; END
            """
        case .lostPurchase:
            // The customer's revision is the last that a sale writes.
            """
            CREATE TRIGGER sabotage AFTER UPDATE OF revision ON customers
            WHEN EXISTS (SELECT 1 FROM transactions t
            JOIN purchase_requests r ON r.account = t.account AND r.transaction_id = t.id
            JOIN journal_heads h ON h.app = t.app AND h.position = t.journal_position
            WHERE t.app = NEW.app AND t.account = NEW.account AND t.modified = NEW.revision AND t.id % 5 = 0) BEGIN
            DELETE FROM postings WHERE position = (SELECT position FROM journal_heads WHERE app = NEW.app);
            DELETE FROM journal WHERE position = (SELECT position FROM journal_heads WHERE app = NEW.app);
            DELETE FROM transactions
            WHERE journal_position = (SELECT position FROM journal_heads WHERE app = NEW.app);
            UPDATE journal_heads SET position = COALESCE((SELECT MAX(position) FROM journal), 0);
            END
            """
        case .forgottenKey:
            """
            CREATE TRIGGER sabotage AFTER INSERT ON purchase_requests
            BEGIN DELETE FROM purchase_requests WHERE key_digest = NEW.key_digest; END
            """
        case .keptAfterRefund:
            """
            CREATE TRIGGER sabotage AFTER UPDATE OF revoked ON transactions WHEN NEW.revoked IS NOT NULL
            BEGIN UPDATE transactions SET revoked = NULL WHERE id = NEW.id; END
            """
        case .keptRepeat:
            """
            CREATE TRIGGER sabotage AFTER UPDATE OF revoked ON transactions
            WHEN NEW.revoked IS NOT NULL AND NEW.id <> NEW.original_id AND NEW.subscription_group IS NULL
            BEGIN UPDATE transactions SET revoked = NULL WHERE id = NEW.id; END
            """
        case .otherCommission:
            // The seller's line stands before the commission's.
            """
            CREATE TRIGGER sabotage AFTER INSERT ON postings WHEN NEW.account = 'commission' AND NEW.amount < -100
            BEGIN
            UPDATE postings SET amount = amount + 100 WHERE app = NEW.app AND position = NEW.position AND line = NEW.line;
            UPDATE postings SET amount = amount - 100
            WHERE app = NEW.app AND position = NEW.position AND account = 'proceeds';
            END
            """
        case .forgottenDue:
            """
            CREATE TRIGGER sabotage AFTER UPDATE OF due ON subscriptions WHEN NEW.due > OLD.due
            BEGIN UPDATE subscriptions SET due = NULL WHERE original_id = NEW.original_id; END
            """
        case .keptAfterLeaving:
            """
            CREATE TRIGGER sabotage AFTER UPDATE OF revoked ON transactions
            WHEN NEW.revoked IS NOT NULL AND NEW.ownership = 'FAMILY_SHARED'
            BEGIN UPDATE transactions SET revoked = NULL WHERE id = NEW.id; END
            """
        case .forgottenShare:
            """
            CREATE TRIGGER sabotage AFTER INSERT ON shared_purchases
            BEGIN DELETE FROM shared_purchases WHERE source = NEW.source AND account = NEW.account; END
            """
        case .forgottenWish:
            // A document begins with its form, whether auto-renew is on, and the state.
            """
            CREATE TRIGGER sabotage AFTER UPDATE OF document ON subscriptions WHEN NEW.document LIKE '2;~a%'
            BEGIN UPDATE subscriptions SET document = '2;+a' || substr(NEW.document, 5)
            WHERE original_id = NEW.original_id; END
            """
        }
    }
}
