/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** C functions: the exports of libibverbs, librdmacm and vendor libraries, and those behind a context's pointers. */
package io.verbs4j.rdmacore.call;
