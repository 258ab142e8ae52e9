/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/** Publishes importable objects to other processes, by number. Thread-safe. */
public interface ExportTable extends AutoCloseable {
    /** Kinds of objects. */
    enum Kind {
        /** A protection domain; has neither memory nor keys. */
        DOMAIN(1, "protection domain"),
        /** A memory region. */
        REGION(2, "memory region"),
        /** Device memory; has no keys. */
        DEVICE_MEMORY(3, "device memory");

        /** The kind's number, below 256. */
        public final int number;

        /** The name used in messages. */
        public final String text;

        Kind(int number, String text) {
            this.number = number;
            this.text = text;
        }
    }

    /**
     * The published description of an object.
     *
     * @param kind kind of object
     * @param domain number of its domain, or 0 if it has none
     * @param address where its memory is
     * @param name the address by which work requests name its first byte
     * @param length length in bytes
     * @param access {@link io.verbs4j.AccessFlags} bits
     * @param lkey its local key
     * @param rkey its remote key
     */
    record Entry(Kind kind, int domain, long address, long name, long length, int access, int lkey, int rkey) {
        /** Describes a protection domain. */
        static Entry ofDomain() {
            return new Entry(Kind.DOMAIN, 0, 0, 0, 0, 0, 0, 0);
        }

        /** Describes device memory. */
        static Entry ofDeviceMemory(long address, long length) {
            return new Entry(Kind.DEVICE_MEMORY, 0, address, 0, length, 0, 0, 0);
        }
    }

    /**
     * Publishes an object; does nothing if it is already published.
     *
     * @throws io.verbs4j.VerbsException ENOMEM if there are too many objects
     */
    void put(int number, Entry entry);

    /**
     * Withdraws an object. When this returns, no process uses it.
     *
     * @param verb verb to name in messages
     * @throws io.verbs4j.VerbsException EBUSY if a process holds the object, which then stays published; also EBUSY if
     *     a stopped process might still write, in which case the object is withdrawn but its memory must stay
     */
    void end(String verb, int number);

    /** Creates a descriptor by which another process finds the objects in this table. */
    io.verbs4j.ExportedFd newDescriptor();

    /** Withdraws all objects. */
    @Override
    void close();
}
