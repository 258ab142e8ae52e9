/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * An open device of a library that knows extended verbs: the type is the marker, and behind it lies the table.
 *
 * <p>Applications see nothing of it; the methods of {@link Context} and of the handles look here. The library makes the
 * instances. Since level 2; its shape is frozen. Source: {@code struct verbs_context} and {@code abi_compat}.
 */
public abstract class ExtendedContext extends Context {

    /**
     * Creates a context; for the library.
     *
     * @param device the device that is open
     * @param openAttr how it is opened
     */
    protected ExtendedContext(Device device, OpenAttr openAttr) {
        super(device, openAttr);
    }

    /**
     * The extended verbs.
     *
     * @return the table, the same at every call
     */
    protected abstract ContextTable table();

    /**
     * Tells the parties of this context; for {@link Context#queryContext()}.
     *
     * @param attr to be filled, as far as the caller knows its fields
     */
    protected abstract void queryContext(ContextAttr attr);
}
