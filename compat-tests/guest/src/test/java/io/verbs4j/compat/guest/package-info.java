/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Tests the embedded device against the kernel's Soft-RoCE, in a virtual machine. */
package io.verbs4j.compat.guest;
