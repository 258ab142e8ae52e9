/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package verbs;

/** What a program is compiled with. It has been the same since the first release: there is nothing to add to it. */
public interface Header {
    /** A verb. */
    interface Verb {
        int call(int argument);
    }

    /** The verb of a name; null where there is none. */
    Verb find(String name);

    byte[] loop(byte[] message);
}
