/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Programs of the bulk transport, for simulated devices and the kernel's. */
package io.verbs4j.compat.bulk.programs;
