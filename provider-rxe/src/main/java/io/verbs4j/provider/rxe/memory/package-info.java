/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Memory, and the objects by which programs name it.
 *
 * <pre>
 *   access      FragileMemory: reads and writes where the memory may go away; MappedMemory, MappedFiles: what the
 *               system knows about it
 *   keys        MemoryKeys: all keys of a device; MemoryKey: one of them; LastKey: saves a queue pair the lookup;
 *               FastKey: a key that work requests register memory with; KeyMemory: copies between keys
 *   objects     RxeMr, RxeMw (type 1), QpWindow (type 2), RxeDm; the classes named
 *               ...Handle are the programs' handles of them
 *   demand      DemandPages, MemoryAdvice, PageCounters: on-demand paging
 *   processes   SharedObjects, ExportTable: what contexts share; ForeignMemory, RemoteMemory, Lender: memory of
 *               another process
 * </pre>
 *
 * <p>{@link io.verbs4j.provider.rxe.memory.IntTable} finds objects by number, here and in other packages.
 */
package io.verbs4j.provider.rxe.memory;
