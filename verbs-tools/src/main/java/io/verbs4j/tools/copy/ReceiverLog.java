/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.bulk.BulkPeer;
import io.verbs4j.tools.text.Printable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Output of a receiver: a line for each file on standard output, the rest on standard error. Thread-safe. */
final class ReceiverLog {
    private final PrintStream out;
    private final boolean json;
    private final List<Map<String, Object>> files = new ArrayList<>();

    /**
     * Creates a log.
     *
     * @param out standard output; null for no lines about files
     * @param json whether to keep results for {@link #files()} instead
     */
    ReceiverLog(PrintStream out, boolean json) {
        this.out = out;
        this.json = json;
    }

    /** Reports a problem of a sender. */
    synchronized void say(BulkPeer peer, String text) {
        System.err.println("verbs: " + host(peer) + ": " + Printable.of(text));
    }

    /** Reports a complete file. */
    synchronized void received(BulkPeer peer, String name, CopyResult result) {
        if (json) {
            Map<String, Object> file = result.json();
            file.put("from", host(peer));
            file.put("path", name);
            files.add(file);
        } else if (out != null) {
            out.println(result.text() + ", from " + host(peer));
            out.flush();
        }
    }

    /** {@return all files so far} */
    synchronized List<Map<String, Object>> files() {
        return List.copyOf(files);
    }

    private static String host(BulkPeer peer) {
        return peer.address().getAddress().getHostAddress();
    }
}
