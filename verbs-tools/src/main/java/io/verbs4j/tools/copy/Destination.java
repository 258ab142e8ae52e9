/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.tools.base.ToolException;

/**
 * The destination of files, as for scp(1).
 *
 * @param host name or address
 * @param path the part after the colon: empty, a name, or a folder
 */
record Destination(String host, String path) {
    /**
     * Parses a destination.
     *
     * @param text {@code HOST:}, {@code HOST:PATH} or {@code [ADDRESS]:PATH}
     * @throws ToolException with {@link io.verbs4j.tools.base.ExitCode#USAGE} if it is something else
     */
    static Destination of(String text) {
        int from = 0;
        int colon = text.indexOf(':');
        if (text.startsWith("[")) {
            from = 1;
            int end = text.indexOf(']');
            colon = end > 0 && text.startsWith(":", end + 1) ? end + 1 : -1;
        }
        if (colon < 0) {
            throw ToolException.usage(
                    "'" + text + "' is not a destination: the last argument must be HOST: or HOST:NAME, such as '"
                            + (text.isEmpty() || text.contains("/") ? "localhost" : text) + ":'");
        }
        String host = text.substring(from, colon - from);
        if (host.isEmpty() || from == 0 && text.startsWith(":", colon + 1)) {
            throw ToolException.usage(
                    "'" + text + "' has no host before the colon; put an IPv6 address in brackets, such as '[::1]:'");
        }
        return new Destination(host, text.substring(colon + 1));
    }

    /** Refuses a path that is not a folder if there are several files. */
    void requireFolder(int files) {
        if (files > 1 && !path.isEmpty() && !path.endsWith("/")) {
            throw ToolException.usage("'" + path + "' would be the name of " + files
                    + " files; end it with a slash if it is a folder of the receiver");
        }
    }
}
