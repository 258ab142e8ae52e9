/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import io.verbs4j.Context;
import io.verbs4j.Resources;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.net.InetSocketAddress;

/** A client of a key-value store. */
public final class KvClient implements AutoCloseable {
    private final Resources resources = new Resources();
    private final RemoteTable table;

    /** Connects with a server. */
    public KvClient(String host, int port) {
        try {
            Context context = resources.add(Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT));
            table = resources.add(new RemoteTable(context, new InetSocketAddress(host, port)));
        } catch (RuntimeException e) {
            resources.close();
            throw e;
        }
    }

    /** The server's table. */
    RemoteTable table() {
        return table;
    }

    @Override
    public void close() {
        resources.close();
    }
}
