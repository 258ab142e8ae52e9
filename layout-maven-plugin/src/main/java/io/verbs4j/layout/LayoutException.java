/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.layout;

import java.util.List;

/** A table has mistakes. The message has one line for each, which begins with file and line. */
final class LayoutException extends Exception {
    private static final long serialVersionUID = 1L;

    LayoutException(List<String> mistakes) {
        super(String.join("\n", mistakes));
    }
}
