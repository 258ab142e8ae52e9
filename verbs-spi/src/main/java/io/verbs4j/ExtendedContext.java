/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * An open device of a library that supports extended verbs: the type marks such a library, and gives access to the
 * table.
 *
 * <p>Applications do not use it; the methods of {@link Context} and of the handles do. The library creates the
 * instances. Since level 2; its shape is frozen. Source: {@code struct verbs_context} and {@code abi_compat}.
 */
public abstract class ExtendedContext extends Context {

    /**
     * Creates a context; for the library.
     *
     * @param device the open device
     * @param openAttr attributes it is opened with
     */
    protected ExtendedContext(Device device, OpenAttr openAttr) {
        super(device, openAttr);
    }

    /**
     * Returns the table of extended verbs.
     *
     * @return the table, the same at every call
     */
    protected abstract ContextTable table();

    /**
     * Reports the participants of this context; for {@link Context#queryContext()}.
     *
     * @param attr receives those fields that the caller knows
     */
    protected abstract void queryContext(ContextAttr attr);
}
