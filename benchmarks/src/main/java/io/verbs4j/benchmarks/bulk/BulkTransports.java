/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.bulk;

import io.verbs4j.benchmarks.wire.Link;
import io.verbs4j.benchmarks.wire.Transport;
import io.verbs4j.benchmarks.wire.TransportType;

/** Transports of verbs-bulk. */
enum BulkTransports implements TransportType {
    /** PUT, polled continuously. */
    PUT((link, client, size) -> new BulkPuts(link, client, size)),

    /** GET, polled continuously. */
    GET((link, client, size) -> new BulkGets(link, client, size)),

    /** PUT with NOTIFY for each message; both ends wait as programs do. */
    PUT_NOTIFY((link, client, size) -> new BulkMessages(link, client, size)),

    /** Ping-pong of PUTs with NOTIFY, polled continuously. */
    NOTIFY((link, client, size) -> new BulkNotes(link, client, size)),

    /** PUTs in batches, one batch in flight at a time. */
    BATCH((link, client, size) -> new BulkBatches(link, client, size, 1)),

    /** PUTs in batches, several batches in flight. */
    BATCHES((link, client, size) -> new BulkBatches(link, client, size, BulkBatches.WINDOW));

    @SuppressWarnings("ImmutableEnumChecker") // all are stateless factories
    private final Maker maker;

    BulkTransports(Maker maker) {
        this.maker = maker;
    }

    @Override
    public Transport open(Link link, boolean client, int size) throws Exception {
        return maker.make(link, client, size);
    }
}
