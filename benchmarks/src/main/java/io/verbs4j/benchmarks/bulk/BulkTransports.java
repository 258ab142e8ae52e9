/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.bulk;

import io.verbs4j.benchmarks.wire.Link;
import io.verbs4j.benchmarks.wire.Transport;
import io.verbs4j.benchmarks.wire.TransportType;

/** Transports by verbs-bulk. */
enum BulkTransports implements TransportType {
    /** PUT, polled without a pause. */
    PUT((link, client, size) -> new BulkPuts(link, client, size)),

    /** GET, likewise. */
    GET((link, client, size) -> new BulkGets(link, client, size)),

    /** PUT with NOTIFY for each message; both ends wait as programs do. */
    PUT_NOTIFY((link, client, size) -> new BulkMessages(link, client, size)),

    /** PUT with NOTIFY to and fro, polled without a pause. */
    NOTIFY((link, client, size) -> new BulkNotes(link, client, size)),

    /** PUTs in batches, each of which completes before the next is submitted. */
    BATCH((link, client, size) -> new BulkBatches(link, client, size, 1)),

    /** The same, with several batches under way. */
    BATCHES((link, client, size) -> new BulkBatches(link, client, size, BulkBatches.WINDOW));

    @SuppressWarnings("ImmutableEnumChecker") // constructors, all of them
    private final Maker maker;

    BulkTransports(Maker maker) {
        this.maker = maker;
    }

    @Override
    public Transport open(Link link, boolean client, int size) throws Exception {
        return maker.make(link, client, size);
    }
}
