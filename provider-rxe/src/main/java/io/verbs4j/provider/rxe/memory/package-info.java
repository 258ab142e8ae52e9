/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Memory, and the objects by which programs name it.
 *
 * <pre>
 *   access      Memory, by SegmentMemory or UnsafeMemory: reads and writes by address; FragileMemory: the same where
 *               the memory may go away; MappedMemory, MappedFiles, PageSize: what the system says about it
 *   keys        MemoryKeys: all keys of a device; MemoryKey: one of them; LastKey: saves a queue pair the look-up;
 *               FastKey: a key that work requests register memory with; KeyMemory: copies between keys
 *   objects     RxeMemoryRegion, RxeMemoryWindow (type 1), QpWindow (type 2), RxeDeviceMemory; classes named
 *               ...Handle are what programs hold of them
 *   demand      DemandPages, MemoryAdvice, PageCounters: regions that are paged in on demand
 *   processes   SharedObjects, ExportTable: what contexts share; ForeignMemory, RemoteMemory, Lender: memory of
 *               another process
 * </pre>
 *
 * <p>{@link io.verbs4j.provider.rxe.memory.IntTable} finds objects by number, here and in packages above.
 */
package io.verbs4j.provider.rxe.memory;
