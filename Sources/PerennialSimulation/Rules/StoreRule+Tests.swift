/// The tests of each rule, as docs/simulation.md and docs/reference/checker.md list them.
extension StoreRule {
    /// The test of the simulator; `nil` for a rule that it doesn't test.
    package var inSimulation: String? {
        switch self {
        case .paidTwice:
            """
            The periods of a subscription that were charged and neither refunded nor replaced don't overlap. Period \
            n has n transactions, each sold once, each with an order line of its own.
            """
        case .severalActive:
            """
            The same for free subscriptions. A customer has one subscription in a group, besides those that the \
            family shares.
            """
        case .paidWithoutAccess:
            """
            Where a transaction covers the present, the subscription gives access. Family members have the same \
            period in force, to the same instant, of everything shared; so too a grace period; and each \
            non-consumable that any member owns.
            """
        case .accessWithoutReason:
            """
            Where the subscription gives access, a transaction covers the present (unless the running period was \
            refunded after the next was charged, or isn't shared). What a family member has in force, a purchaser in \
            the same family has in force, to the same instant. Free repeats of a purchase aren't in force after its \
            refund.
            """
        case .crowdedFamily:
            """
            A family has six people at most.
            """
        case .gapInService:
            """
            A renewal starts where a period ended. A grace period isn't longer than the period that its charge pays \
            for.
            """
        case .wrongCharge:
            """
            The price is that of the offer, or the one in force when it was sold, or for a renewal one that the \
            storefront has had; in the currency of its storefront, and none for a family member. Declined cards pay \
            nothing. A subscription with auto-renew off isn't renewed.
            """
        case .soldUnavailable:
            """
            What isn't on sale in a storefront isn't sold there.
            """
        case .wrongCatalog:
            """
            On the node that didn't edit, the catalog has the products, prices and storefronts that the acknowledged \
            edits gave it, now and for the next 400 days. The prices of each of the 175 storefronts have no gap and \
            no overlap. The catalog's journal has no gap, and has each product once as created and deleted. An \
            export imported again changes nothing.
            """
        case .offerAgain:
            """
            A customer has one introductory offer in a group, counting what the family shared.
            """
        case .tooManyRenewals:
            """
            In Sandbox a subscription renews six times.
            """
        case .wrongRefund:
            """
            A refund is the requested share, all of it for a full refund, and, upgrades included, at most what was \
            paid. Commission and tax are reversed in the same share of what the sale moved, although the seller's \
            terms change meanwhile.
            """
        case .unbalanced:
            """
            The postings of each entry sum to zero, and so does the ledger, which equals the replay's.
            """
        case .journalOrder:
            """
            Positions increase from 1 without gaps. The journal read again from the start is the journal that was \
            written.
            """
        case .journalAndTables:
            """
            Each transaction has one sale, at the position and price it names; each entry has its transaction; \
            refunds, finishes and ends are in both. The replayed state of each subscription equals its row: active, \
            in retry, ended or revoked, renewing or not, product, newest transaction, number of renewals. A family \
            member's subscription waits for a charge only while the purchaser's does.
            """
        case .lostAnswer:
            """
            What was acknowledged as sold, refunded or finished stays so after any crash.
            """
        case .wrongRollUp:
            """
            The roll-ups of sales, which both nodes keep in batches between the steps, have the rows that each \
            journal entry by itself gives, by day, month and fiscal month.
            """
        case .wrongClosing:
            """
            The closing of a fiscal month has what the journal's entries earned, with the late ones and adjustments, \
            less the taxes of each region; it carries the balance of the month before, pays the total if it reaches \
            the threshold, and never changes. Closed proceeds less payments are the balance, and what else is owed \
            is what the open months earned. The seller's own journal has the entries of closings and adjustments, \
            and no others. Audited after each step of the finances, and against the journal in a full audit.
            """
        case .soldTwice:
            """
            A request has one answer, however often it is sent. Every sale has a request.
            """
        case .due:
            """
            The engine's column equals when the subscription is due. On a manual clock nothing is overdue. The \
            subscription with the unreadable row is quarantined, and no other.
            """
        case .stepLimitExceeded:
            """
            Each step ends: within 1,000 waits for another node's lease and 1,000,000 commits.
            """
        case .clock:
            """
            Time doesn't go backwards, and an advance ends at its target.
            """
        case .wrongReceipt:
            """
            App receipts and receipts of single transactions verify. They list what was sold, newest first by date \
            and journal, with the ends and refunds of the tables. A transaction receipt has status 21006 only where \
            no paid period is in force. The content server, which sees only verifyReceipt's answer, opens exactly \
            what is paid for. Audited on nodes that didn't make the change, after every fourth step, and for all \
            customers from time to time.
            """
        case .unexpectedError:
            """
            Only injected faults and the rules' refusals fail.
            """
        case .unexplained, .notificationOrder, .lostNotification: nil
        }
    }

    /// The test of a recorded history; `nil` for a rule that answers alone don't show.
    package var inHistories: String? {
        switch self {
        case .soldTwice:
            """
            All answers to an idempotency key are the same: one transaction, or one refusal. A transaction answers \
            one key. The journal has no sale of a product that its customer hasn't requested.
            """
        case .lostAnswer:
            """
            What was acknowledged as sold, refunded or finished is so in each later list of the customer's \
            transactions, and in the journal.
            """
        case .unexplained:
            """
            Each customer's purchases, refunds, finishes, changes of the card and lists are linearizable: one order, \
            in which each takes effect between its request and its answer, gives every answer. A request without an \
            answer takes effect at any time after it was sent, or never.
            """
        case .paidTwice:
            """
            The charged periods of a subscription don't overlap, in any list. The journal sells each transaction \
            once.
            """
        case .severalActive:
            """
            A list has no two periods of a product's subscriptions for the same time, and no two purchases of a \
            non-consumable that was owned: later ones are repeats of the first, until a refund.
            """
        case .gapInService: "A renewal starts where a period of its subscription ended, in any list."
        case .due:
            """
            On a manual clock: once an advance has answered, later lists show no subscription, paid by an accepted \
            card, whose newest period ended before the advance's time. On a real clock: a list after a reading of the \
            clock shows none, with a renewal left, whose newest period ended before it by more than 16 seconds and the \
            longest time without an acknowledged change.
            """
        case .clock:
            """
            On a manual clock: times that were read don't go back, an advance moves the clock at least as far as it \
            said, and acknowledged advances add up.
            """
        case .journalOrder:
            """
            All readers of the journal, on all nodes, see the same entry at each position, from 1 without gaps. A \
            reader that asks after another was answered sees at least as much. The journal read to its end after a \
            sale was acknowledged has the sale.
            """
        case .unbalanced: "The postings of each entry sum to zero, by currency."
        case .journalAndTables:
            """
            A customer's list has the transactions that the journal sold to the customer until it was asked for, and \
            none that the journal, read to its end later, doesn't have.
            """
        case .notificationOrder:
            """
            The notifications of a subscription or purchase have signed dates in the order of their journal entries, \
            and arrive first in that order. One whose attempt failed may arrive late.
            """
        case .lostNotification:
            """
            The store lists a notification for each entry of the journal that has one. What it lists as delivered \
            has arrived. What arrives is listed, with the same contents each time; a copy that \
            another node sends has other signatures.
            """
        case .wrongCharge:
            """
            What a key bought without a period cost a price that was in force at some time between its first request and \
            its answer, as far as the clients have set the prices.
            """
        case .unexpectedError:
            """
            Refusals are those that the request can have. Nothing is answered with HTTP 500, nor with 503 without \
            `Retry-After`.
            """
        case .paidWithoutAccess, .accessWithoutReason, .crowdedFamily, .soldUnavailable, .wrongCatalog,
            .offerAgain, .tooManyRenewals, .wrongRefund, .wrongRollUp, .wrongClosing, .stepLimitExceeded,
            .wrongReceipt:
            nil
        }
    }
}
